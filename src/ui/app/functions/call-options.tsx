// Beside the request itself: as whom it is made, where the function is to run, how long to wait.
import { TextField } from '../../widgets/field.tsx'
import { Select } from '../../widgets/select.tsx'
import { useAccounts } from '../accounts/use-accounts.ts'
import { REGIONS } from './call-draft.ts'
import styles from './functions.module.css'
import type { RequestFormProps } from './request-form.tsx'

const CALLERS = [
  { id: 'user', label: 'You' },
  { id: 'public', label: 'Anybody: with the public key alone' },
]

/** The user, anybody, and the other accounts that are signed in here. */
function useCallers() {
  const { list, active } = useAccounts()
  const others = list.filter(({ id }) => id !== active?.id)
  return [
    ...CALLERS,
    ...others.map(({ id, email }) => ({ id, label: email ?? 'Somebody without an address' })),
  ]
}

export function CallOptions({ desk, state: { draft, problems } }: RequestFormProps) {
  return (
    <div className={styles.options}>
      <Select
        label="Called as"
        options={useCallers()}
        value={draft.as}
        onChange={as => desk.edit({ as })}
        error={problems.as}
      />
      <Select
        label="Region"
        options={REGIONS.map(id => ({ id, label: id === 'any' ? 'Nearest (any)' : id }))}
        value={draft.region}
        onChange={region => desk.edit({ region })}
      />
      <TextField
        label="Seconds until the answer begins"
        inputMode="decimal"
        value={draft.timeout}
        onChange={timeout => desk.edit({ timeout })}
        error={problems.timeout}
        placeholder="60"
        hint="More than 60 also bounds how long a stream may go on."
      />
    </div>
  )
}
