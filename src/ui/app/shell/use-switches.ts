// The hosts and accounts that can be switched to from here.
import { useRouter } from '@tanstack/react-router'
import { useAccounts } from '../accounts/use-accounts.ts'
import { useWorkspace } from '../workspace.tsx'
import { switchGroups, type SwitchGroup } from './switch-items.ts'

export function useSwitches(): readonly SwitchGroup[] {
  const router = useRouter()
  const workspace = useWorkspace()
  const accounts = useAccounts()
  return switchGroups(workspace, accounts, {
    manage: () => void router.navigate({ to: '/connections' }),
    account: () => void router.navigate({ to: '/account' }),
  })
}
