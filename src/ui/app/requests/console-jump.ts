// Jumps from the app to a place in the console: an entry in the history says that the console is to show it.
import { useEffect } from 'react'
import { useRouterIfThere } from '../router-later.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The console opens, and goes where the address says; another number for who asks for the same place again. */
    readonly toConsole?: number
  }
}

/** The state of an entry that leads into the console. */
export const jump = ({ toConsole = 0 }: { readonly toConsole?: number }) => ({ toConsole: toConsole + 1 })

/** Whether whoever came here wants to be shown the console. */
export const isJump = (state: object): boolean => 'toConsole' in state && state.toConsole !== undefined

/** Opens the console when somebody jumps into it; it reads from the address where to. */
export function useConsoleJump(open: () => void): void {
  const router = useRouterIfThere()
  useEffect(
    () =>
      router?.history.subscribe(({ location, action }) => {
        // Going back to where it was opened once is no wish to have it opened again.
        if (isJump(location.state) && (action.type === 'PUSH' || action.type === 'REPLACE')) setTimeout(open)
      }),
    [router, open],
  )
}
