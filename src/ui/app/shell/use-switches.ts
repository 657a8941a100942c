// Backends and accounts that the switcher offers.
import { use } from 'react'
import { useAccounts } from '../accounts/use-accounts.ts'
import { RouterContext } from '../lazy-router.ts'
import { useWorkspace } from '../workspace.tsx'
import { switchGroups, type SwitchGroup } from './switch-items.ts'

export function useSwitches(): readonly SwitchGroup[] {
  const router = use(RouterContext)
  const workspace = useWorkspace()
  const accounts = useAccounts()
  return switchGroups(workspace, accounts, {
    manage: () => router.whenThere(there => void there.navigate({ to: '/connections' })),
    account: () => router.whenThere(there => void there.navigate({ to: '/account' })),
  })
}
