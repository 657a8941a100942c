// Styles of the simulated provider's pages: one card in Chartroom's design tokens, light and dark.

import { PAGE_COLORS } from '../../shared/page-colors.ts'

export const PAGE_STYLE = `${PAGE_COLORS}
* { box-sizing: border-box; margin: 0; }
body {
  min-height: 100vh; padding: 24px 16px; display: grid; place-content: center; justify-items: center;
  grid-template-columns: minmax(0, 420px); background: var(--bg); color: var(--ink);
  font: 13px/1.5 Inter, ui-sans-serif, system-ui, 'Segoe UI', sans-serif; font-variant-numeric: tabular-nums;
}
main {
  width: 100%; padding: 24px; background: var(--surface); border: 1px solid var(--line); border-radius: 12px;
  display: grid; gap: 16px;
}
.brand { display: flex; align-items: center; gap: 8px; color: var(--ink-2); font-weight: 550; }
.brand svg { color: var(--accent); }
h1 { font-size: 20px; line-height: 1.3; font-weight: 650; letter-spacing: -0.01em; }
h2 { font-size: 13px; font-weight: 600; color: var(--ink-2); }
p { color: var(--ink-2); overflow-wrap: anywhere; }
p strong { color: var(--ink); font-weight: 550; }
code { font: 12px/1.5 'JetBrains Mono', ui-monospace, SFMono-Regular, Menlo, monospace; }
form { display: grid; gap: 12px; }
section { display: grid; gap: 8px; }
ul { list-style: none; padding: 0; display: grid; gap: 6px; }
button, input { font: inherit; color: inherit; }
button { cursor: pointer; border-radius: 7px; border: 1px solid var(--line); background: var(--raised); }
button:hover { border-color: var(--edge); }
.person {
  width: 100%; padding: 8px 10px; display: grid; grid-template-columns: 32px minmax(0, 1fr); gap: 10px;
  align-items: center; text-align: start; background: var(--surface);
}
.person:hover { background: var(--raised); }
.person .initial {
  width: 32px; height: 32px; border-radius: 50%; display: grid; place-items: center; font-weight: 600;
  background: var(--accent-soft); color: var(--ink);
}
.person b { display: block; font-weight: 550; }
.person small { display: block; font-size: 12px; color: var(--ink-2); overflow: hidden; text-overflow: ellipsis; }
.or { border-top: 1px solid var(--line-soft); padding-top: 16px; }
label { display: grid; gap: 4px; font-weight: 550; }
label input {
  height: 34px; width: 100%; padding: 0 10px; border-radius: 7px; border: 1px solid var(--edge);
  background: var(--bg); font-weight: 400;
}
label:has([type='checkbox']) { grid-template-columns: 16px 1fr; gap: 8px; align-items: start; font-weight: 400; }
input[type='checkbox'] { width: 16px; height: 16px; margin-top: 2px; accent-color: var(--accent); }
.error { color: var(--fail); }
.actions { display: flex; justify-content: flex-end; gap: 8px; padding-top: 4px; flex-wrap: wrap-reverse; }
.actions button { height: 34px; padding: 0 14px; }
.primary { background: var(--accent); border-color: transparent; color: var(--accent-ink); font-weight: 600; }
.primary:hover { background: color-mix(in oklch, var(--accent) 88%, var(--ink)); border-color: transparent; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 460px) {
  body { padding: 12px; place-content: start stretch; }
  main { padding: 18px; }
  .actions button { flex: 1; }
}
`
