// Sign-in methods reported by the connected backend; until it responds, the last ones it reported.
import { useEffect, useState } from 'react'
import { array, boolean, nullable, object, optional, string } from 'valibot'
import {
  type Failure,
  type HostSettings,
  type HostSettingsResult,
  readHostSettings,
} from '../../../services/client/index.ts'
import { useRenewable } from '../renewable.ts'
import { useRetry } from '../retry.ts'
import { readSetting, writeSetting } from '../../../services/workbench/storage/index.ts'
import { useWorkspace } from '../workspace.tsx'

const schema = nullable(
  object({
    email: boolean(),
    phone: boolean(),
    anonymous: boolean(),
    sso: boolean(),
    passkeys: optional(boolean(), false),
    providers: array(string()),
    signUp: boolean(),
    confirmsEmail: boolean(),
  }),
)

export interface HostSettingsView {
  /** Undefined until the backend responds for the first time in this browser. */
  readonly settings: HostSettings | undefined
  readonly failure: Failure | undefined
  /** Requests the settings once, without showing the result. */
  readonly look: () => Promise<HostSettingsResult>
}

export const useHostSettings = (): HostSettingsView => {
  const { active } = useWorkspace()
  const { url = '', key = '' } = active ?? {}
  const [settings, setSettings] = useState(() => readSetting(`host.${url}`, schema, null))
  const [failure, setFailure] = useState<Failure>()
  const [signal, retry] = useRenewable()
  useEffect(() => {
    let current = url !== ''
    if (current)
      void readHostSettings({ url, key }).then(result => {
        if (!current) return
        setFailure(result.ok ? undefined : result.failure)
        if (!result.ok) return
        setSettings({ ...result.value, providers: [...result.value.providers] })
        writeSetting(`host.${url}`, result.value)
      })
    return () => {
      current = false
    }
  }, [url, key, signal])
  useRetry('sign-in methods', failure, retry)
  return { settings: settings ?? undefined, failure, look: () => readHostSettings({ url, key }) }
}
