// Call options: account, region and timeout.
import { TextField } from '../../widgets/field.tsx'
import { Select } from '../../widgets/select.tsx'
import { useAccounts } from '../accounts/use-accounts.ts'
import { REGIONS } from '../../../services/workbench/functions/index.ts'
import styles from './functions.module.css'
import type { RequestFormProps } from './request-form.tsx'

const CALLERS = [
  { id: 'user', label: 'You' },
  { id: 'public', label: 'Anonymous (public key)' },
]

/** The user, the anonymous role, and the other signed-in accounts. */
function useCallers() {
  const { list, active } = useAccounts()
  const others = list.filter(({ id }) => id !== active?.id)
  return [...CALLERS, ...others.map(({ id, email }) => ({ id, label: email ?? 'Account without email' }))]
}

export function CallOptions({ store, state: { draft, problems } }: RequestFormProps) {
  return (
    <div className={styles.options}>
      <Select
        label="Call as"
        options={useCallers()}
        value={draft.as}
        onChange={as => store.edit({ as })}
        error={problems.as}
      />
      <Select
        label="Region"
        options={REGIONS.map(id => ({ id, label: id === 'any' ? 'Nearest (any)' : id }))}
        value={draft.region}
        onChange={region => store.edit({ region })}
      />
      <TextField
        label="Timeout to first byte (s)"
        inputMode="decimal"
        value={draft.timeout}
        onChange={timeout => store.edit({ timeout })}
        error={problems.timeout}
        placeholder="60"
        hint="Above 60, this also limits how long a stream may run."
      />
    </div>
  )
}
