// Saved layouts as palette items.
import type { ConsoleItem } from '../commands/palette-items.ts'
import type { SavedView } from './saved-views.ts'

export const viewItems = (
  views: readonly SavedView[],
  apply: (view: SavedView) => void,
): readonly ConsoleItem[] =>
  views.map(view => ({
    key: `view:${view.name}`,
    kind: 'view',
    title: view.name,
    detail: view.params.q === undefined ? 'saved layout' : `saved layout with ${view.params.q}`,
    words: 'layout view',
    run: () => apply(view),
  }))
