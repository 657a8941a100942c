// Focus of the page of reports: the list, then the first action of a chosen group.

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The list of reports takes the focus; the number changes when the page is opened again. */
    readonly toReports?: number
  }
}

/** History state of an entry that was opened by key or palette: the list takes the focus from whatever had it. */
export const toList = ({ toReports = 0 }: { readonly toReports?: number }) => ({ toReports: toReports + 1 })

/** Properties of the button that takes the focus when its group is chosen. */
export const FIRST_ACTION = { 'data-first-action': '' } as const

/** Whether nothing has the focus, as after a focused button was removed. */
export const isLost = (): boolean =>
  document.activeElement === document.body || document.activeElement === null

/** Focuses the first group, or the shown one. */
export function focusGroups(list: HTMLElement | null): void {
  const shown = list?.querySelector<HTMLElement>('[role=option][aria-selected=true]')
  ;(shown ?? list?.querySelector<HTMLElement>('[role=option]'))?.focus({ preventScroll: true })
}

/** Focuses the first action of a group; the group itself if it has none. */
export function focusFirstAction(group: HTMLElement | null): void {
  ;(group?.querySelector<HTMLElement>('[data-first-action]') ?? group)?.focus()
}
