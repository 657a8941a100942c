// Styles of the bar over a page. They follow the page's color scheme, and nothing else of it.

export const PAGE_BAR_STYLES = `
:host {
  all: initial;
  display: block;
  color-scheme: inherit;
  font: 13px/1.4 system-ui, sans-serif;
}
[hidden] {
  display: none !important;
}
.unseen {
  position: absolute;
  width: 1px;
  height: 1px;
  margin: -1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
section {
  --back: light-dark(oklch(0.94 0.02 240), oklch(0.3 0.03 240));
  --ink: light-dark(oklch(0.3 0.05 240), oklch(0.94 0.02 240));
  --edge: light-dark(oklch(0.8 0.05 240), oklch(0.46 0.05 240));
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: center;
  gap: 2px 24px;
  box-sizing: border-box;
  min-height: 32px;
  padding: 3px 12px;
  border: solid var(--edge);
  border-width: 1px 0;
  background: var(--back);
  color: var(--ink);
}
section[data-kind='paused'] {
  --back: light-dark(oklch(0.93 0.09 90), oklch(0.35 0.06 80));
  --ink: light-dark(oklch(0.3 0.05 70), oklch(0.95 0.05 90));
  --edge: light-dark(oklch(0.78 0.13 85), oklch(0.55 0.1 80));
}
section[data-kind='fault'] {
  --back: light-dark(oklch(0.94 0.035 320), oklch(0.32 0.06 320));
  --ink: light-dark(oklch(0.34 0.1 320), oklch(0.94 0.03 320));
  --edge: light-dark(oklch(0.8 0.09 320), oklch(0.5 0.1 320));
}
.notice {
  display: flex;
  align-items: center;
  gap: 8px;
  min-width: 0;
  max-width: 100%;
}
.notice[data-kind='paused'] .text {
  font-weight: 600;
}
.text {
  min-width: 0;
  overflow-wrap: anywhere;
}
button {
  flex: none;
  min-width: 24px;
  min-height: 24px;
  padding: 1px 10px;
  border: 1px solid currentColor;
  border-radius: 6px;
  background: transparent;
  color: inherit;
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
button:hover {
  background: color-mix(in oklab, currentColor 12%, transparent);
}
button:focus-visible {
  outline: 2px solid currentColor;
  outline-offset: 2px;
}
kbd {
  font: 11px/1.4 ui-monospace, monospace;
}
@media (max-width: 480px) {
  section {
    justify-content: space-between;
  }
  .notice {
    flex: 1 1 100%;
    justify-content: space-between;
  }
  kbd {
    display: none;
  }
}
@media print {
  :host {
    display: none;
  }
}
`
