// The event itself as the parameters of a guard or an action.

export const eventParams = <E>({ event }: { readonly event: E }): E => event

/** A guard or an action whose parameter is the event itself. */
export const withEvent = <Type extends string>(type: Type) => ({ type, params: eventParams }) as const
