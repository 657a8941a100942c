// The row that a windowed list points to, for screen readers.

/** The id of the chosen row while it is drawn: none may be pointed to that is not on the page. */
export const pointed = (
  drawn: readonly { readonly index: number }[],
  chosen: number,
  id: string,
): string | undefined => (drawn.some(({ index }) => index === chosen) ? id : undefined)
