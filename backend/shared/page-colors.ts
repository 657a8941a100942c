// The workbench's colors, light and dark, for pages that the backend serves itself.

export const PAGE_COLORS = `
:root {
  color-scheme: light dark;
  --bg: light-dark(oklch(0.975 0.004 220), oklch(0.185 0.012 230));
  --surface: light-dark(oklch(0.995 0.002 220), oklch(0.215 0.013 230));
  --raised: light-dark(oklch(0.965 0.005 220), oklch(0.25 0.014 230));
  --line: light-dark(oklch(0.875 0.008 225), oklch(0.315 0.014 230));
  --line-soft: light-dark(oklch(0.925 0.006 225), oklch(0.27 0.013 230));
  --edge: light-dark(oklch(0.62 0.012 225), oklch(0.55 0.016 230));
  --ink: light-dark(oklch(0.26 0.02 235), oklch(0.93 0.008 220));
  --ink-2: light-dark(oklch(0.44 0.02 235), oklch(0.76 0.014 225));
  --ink-3: light-dark(oklch(0.5 0.018 235), oklch(0.68 0.016 228));
  --accent: light-dark(oklch(0.5 0.1 205), oklch(0.78 0.115 195));
  --accent-ink: light-dark(oklch(0.99 0 0), oklch(0.2 0.03 200));
  --accent-soft: light-dark(oklch(0.92 0.035 200), oklch(0.34 0.05 200));
  --ok: light-dark(oklch(0.48 0.13 155), oklch(0.78 0.14 155));
  --fail: light-dark(oklch(0.52 0.19 25), oklch(0.72 0.16 25));
}`
