/** A guard or an action whose parameter is the event itself. */
export const withEvent = <Type extends string>(type: Type) =>
  ({ type, params: <E>({ event }: { readonly event: E }): E => event }) as const
