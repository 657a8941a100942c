// Whether the browser asks before the page is left: while something would be lost with it.

/** For one thing that may be lost; it is told whenever that may have changed. */
export const createLeaveGuard = (): ((wouldBeLost: boolean) => void) => {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  return wouldBeLost =>
    wouldBeLost ? addEventListener('beforeunload', ask) : removeEventListener('beforeunload', ask)
}
