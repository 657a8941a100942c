// The active row of a virtual list.

/**
 * Returns the selected row's id while it is rendered: `aria-activedescendant` must reference an existing
 * element.
 */
export const pointed = (
  drawn: readonly { readonly index: number }[],
  chosen: number,
  id: string,
): string | undefined => (drawn.some(({ index }) => index === chosen) ? id : undefined)
