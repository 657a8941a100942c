// Sign-in methods reported by the connected backend; until it responds, the last ones it reported.
import { useState } from 'react'
import { array, boolean, nullable, object, optional, string } from 'valibot'
import {
  type Failure,
  type HostSettings,
  type HostSettingsResult,
  readHostSettings,
} from '../../../services/client/index.ts'
import { usePageRequest, valueOf } from '../use-page-request.ts'
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
  const { data, failure } = usePageRequest(
    url === '' ? undefined : ['sign-in methods', url, key],
    async () => {
      const settings = valueOf(await look())
      writeSetting(`host.${url}`, settings)
      return settings
    },
  )
  const [stored] = useState(() => readSetting(`host.${url}`, schema, null) ?? undefined)
  return { settings: data ?? stored, failure, look }
}
