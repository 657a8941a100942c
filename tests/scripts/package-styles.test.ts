// The app's sheets as another app's page takes them: in the order of their layers, within a scope, and no further.
import { expect, test } from 'vitest'
import { scopedStyles } from '../../scripts/package-styles.ts'

test('layers become an order, the root that of the scope, and the page keeps its scrolling', () => {
  const css = `
    @layer reset, tokens, base, widgets, layout;
    @layer layout { .pane { color: var(--ink); } }
    @layer tokens { :root { --ink: black; } :root[data-theme='dark'] { --ink: white; } }
    @layer base { html, body, #root { height: 100%; } body { margin: 0; overflow: hidden; } }
    @media print { .pane { display: none; } }`
  const scoped = scopedStyles(css, '.box')
  expect(scoped.startsWith('@scope (.box) {')).toBe(true)
  expect(scoped.split('\n').slice(2).join(' ').replaceAll(/\s+/g, ' ')).toBe(
    " :scope { --ink: black; } :scope[data-theme='dark'] { --ink: white; }" +
      ' html, :scope, #root { height: 100%; } :scope { margin: 0; }' +
      ' .pane { color: var(--ink); } @media print { .pane { display: none; } } }',
  )
})
