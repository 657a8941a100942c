// Navigation from the app to a location in the console, marked in the history entry.
import { useEffect } from 'react'
import { useRouterIfThere } from '../connected-context.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Opens the console at the location in the URL; the number changes for repeated jumps. */
    readonly toConsole?: number
  }
}

/** History state of an entry that opens the console. */
export const jump = ({ toConsole = 0 }: { readonly toConsole?: number }) => ({ toConsole: toConsole + 1 })

/** Whether a history entry opens the console. */
export const isJump = (state: object): boolean => 'toConsole' in state && state.toConsole !== undefined

/** Opens the console on a jump; the console reads the location from the URL. */
export function useConsoleJump(open: () => void): void {
  const router = useRouterIfThere()
  useEffect(
    () =>
      router?.history.subscribe(({ location, action }) => {
        // Going back to such an entry does not open the console again.
        if (isJump(location.state) && (action.type === 'PUSH' || action.type === 'REPLACE')) open()
      }),
    [router, open],
  )
}
