() => {
  // Texts of the page whose contrast with the colours behind them is under 4.5:1.
  const parse = (text) => {
    const numbers = text.match(/[\d.]+/g).map(Number);
    return { rgb: numbers.slice(0, 3), a: numbers[3] ?? 1 };
  };
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const over = (top, a, under) => top.map((v, i) => v * a + under[i] * (1 - a));
  const passed = ".hidden, .skip, option, noscript, [aria-hidden=true]";
  const failures = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim();
    const node = walk.currentNode.parentElement;
    if (!text || !node.checkVisibility() || node.closest(passed)) continue;
    const layers = [];
    let one = node;
    for (; one; one = one.parentElement) {
      const colour = parse(getComputedStyle(one).backgroundColor);
      if (colour.a) layers.push(colour);
      if (colour.a === 1) break;
    }
    if (getComputedStyle(one ?? document.body).backgroundImage !== "none") continue;
    let back = [255, 255, 255];
    for (const layer of layers.reverse()) back = over(layer.rgb, layer.a, back);
    let alpha = 1;
    for (let up = node; up; up = up.parentElement) alpha *= Number(getComputedStyle(up).opacity);
    const ink = parse(getComputedStyle(node).color);
    const [a, b] = [light(over(ink.rgb, ink.a * alpha, back)), light(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) failures.push(`${ratio.toFixed(2)} ${node.className || node.tagName}: ${text}`);
  }
  return failures;
}
