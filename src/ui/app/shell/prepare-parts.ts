// Preloads overlays and other parts, so that they also open while offline.

const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('./switcher-menu.tsx'),
  () => import('../commands/app-palette.tsx'),
  () => import('../data-tools/import/import-dialog.tsx'),
  () => import('../data-tools/export/export-dialog.tsx'),
  () => import('../data-tools/saved/saved-dialog.tsx'),
  () => import('../data-tools/seen-by/seen-by-dialog.tsx'),
  () => import('../json/code-field.tsx'),
  () => import('./docked.tsx'),
]

/** Loads the parts one by one to keep the app responsive; a failed load is retried when its part is shown. */
export async function prepareParts(): Promise<void> {
  for (const load of PARTS) await load().catch(() => undefined)
}
