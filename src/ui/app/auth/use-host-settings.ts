// Sign-in methods reported by the connected backend; until it responds, the last ones it reported.
import { useState } from 'react'
import { array, boolean, nullable, object, optional, string } from 'valibot'
import {
  type Failure,
  type HostSettings,
  type HostSettingsResult,
  readHostSettings,
} from '../../../services/client/index.ts'
import { useRequest } from '../use-request.ts'
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
  const look = () => readHostSettings({ url, key })
  const [{ value, failure }] = useRequest<HostSettings>({
    name: 'sign-in methods',
    of: url === '' ? undefined : [url, key],
    load: async () => {
      const result = await look()
      if (result.ok) writeSetting(`host.${url}`, result.value)
      return result
    },
  })
  const [stored] = useState(() => readSetting(`host.${url}`, schema, null) ?? undefined)
  return { settings: value ?? stored, failure: failure?.cause, look }
}
