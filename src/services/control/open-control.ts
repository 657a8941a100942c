// Opens the control of a system, and lets the page say what it does.
import { Control } from './control.ts'
import type { ControlPoint } from './control-point.ts'
import { hasEnded } from './live-tree.ts'

/** The bar is loaded in pages only. */
export function openControl(point: ControlPoint): Control {
  const control = new Control(point)
  const page = (globalThis as { readonly document?: Document }).document
  const root = point.steered?.actor
  if (page?.body && root)
    // Everything else works without the bar, which cannot be drawn in every simulated page.
    import('./page-bar/page-bar.ts')
      .then(({ showPageBar }) => showPageBar(control, { isRunning: () => !hasEnded(root) }))
      .catch(() => undefined)
  return control
}
