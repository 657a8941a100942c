// Whether the browser asks for confirmation before the page unloads, because something would be lost.

/** Creates a guard for one thing that may be lost; call the result whenever that changes. */
export const createLeaveGuard = (): ((wouldBeLost: boolean) => void) => {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  return wouldBeLost =>
    wouldBeLost ? addEventListener('beforeunload', ask) : removeEventListener('beforeunload', ask)
}
