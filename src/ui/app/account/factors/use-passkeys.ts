// Loads the passkeys of the account from the server.
import { useEffect, useState } from 'react'
import type { Failure } from '../../../../services/client/index.ts'
import { useClient } from '../../../react/index.ts'
import { callAuth } from '../../../../services/workbench/auth/index.ts'
import { useRenewable } from '../../renewable.ts'
import { useRetry } from '../../retry.ts'
import { type Passkey, readPasskeys } from '../../../../services/workbench/accounts/index.ts'

export interface PasskeysView {
  /** Undefined until loaded. */
  readonly list: readonly Passkey[] | undefined
  readonly failure: Failure | undefined
  readonly reload: () => void
}

/** Failures that may be temporary and are retried. */
const PASSING: ReadonlySet<Failure['kind']> = new Set(['network', 'timeout', 'server'])

export function usePasskeys(): PasskeysView {
  const client = useClient()
  const [list, setList] = useState<readonly Passkey[]>()
  const [failure, setFailure] = useState<Failure>()
  const [signal, reload] = useRenewable()
  useEffect(() => {
    let current = true
    void callAuth(client, auth => auth.passkey.list()).then(called => {
      if (!current) return
      setFailure(called.ok ? undefined : called.failure)
      if (called.ok) setList(readPasskeys(called.value))
    })
    return () => {
      current = false
    }
  }, [client, signal])
  useRetry('passkeys', failure && PASSING.has(failure.kind) ? failure : undefined, reload)
  return { list, failure, reload }
}
