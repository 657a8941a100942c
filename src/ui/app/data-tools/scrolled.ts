// What scrolls must be reached by those who scroll with keys.

/** For an element that scrolls and holds nothing that takes the focus. */
export const SCROLLED = { tabIndex: 0 } as const
