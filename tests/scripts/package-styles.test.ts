// The app's style sheets for use in another app's page: in layer order and limited to a scope.
import { expect, test } from 'vitest'
import { scopedStyles } from '../../scripts/package-styles.ts'

test('layers become source order, the root becomes the scope, and the page keeps its scrolling', () => {
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
