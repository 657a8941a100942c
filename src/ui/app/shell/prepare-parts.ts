// What opens above or beside the pages, fetched ahead: it is there when the network is not.

const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('./switcher-menu.tsx'),
  () => import('../commands/app-palette.tsx'),
  () => import('../data-tools/import/import-dialog.tsx'),
  () => import('../data-tools/export/export-dialog.tsx'),
  () => import('../data-tools/saved/saved-dialog.tsx'),
  () => import('../data-tools/seen-by/seen-by-dialog.tsx'),
  () => import('../../../transfers.ts'),
  () => import('../json/code-field.tsx'),
  () => import('./docked.tsx'),
]

/** One after the other, so that whoever works meanwhile does not feel it; what does not come is asked for when it is needed. */
export async function prepareParts(): Promise<void> {
  for (const load of PARTS) await load().catch(() => undefined)
}
