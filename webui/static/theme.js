// The colours that this device chose, before anything is painted: light, dark, or as the system has it.

try {
  const kept = localStorage.getItem("theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
} catch {
  // no storage allowed: as the system has it
}
