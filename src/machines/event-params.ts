// The event itself as the parameters of a guard or an action.

export const eventParams = <E>({ event }: { readonly event: E }): E => event
