"""From detections to plays: what lies on the table, who laid it, what was swept or taken back."""
