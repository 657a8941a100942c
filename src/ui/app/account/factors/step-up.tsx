// Verifies the second factor for the current session: from aal1 to aal2.
import { useState } from 'react'
import { Select } from '../../../widgets/select.tsx'
import { callAuth, factorName, verifiedFactors } from '../../../../services/workbench/auth/index.ts'
import { notify } from '../../shell/notify.ts'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { checkDigits, CodeRow } from '../task/rows.tsx'

import { useUser } from '../user/use-user.ts'

/** Renders nothing if no factor can be verified. */
export function StepUp() {
  const { user, reload } = useUser()
  const factors = verifiedFactors(user?.factors)
  const [chosen, setChosen] = useState<string>()
  const factor = factors.find(({ id }) => id === chosen) ?? factors[0]
  if (factor === undefined) return null
  return (
    <Card title="Verify your second factor">
      <p className={styles.text}>
        This session has one factor (aal1). Policies may require two, and so does changing your password, your
        email or your factors.
      </p>
      {factors.length > 1 ? (
        <Select
          label="Factor"
          options={factors.map(each => ({ id: each.id, label: factorName(each) }))}
          value={factor.id}
          onChange={setChosen}
        />
      ) : null}
      <CodeRow
        key={factor.id}
        name="Second factor"
        label="Code"
        note={factorName(factor)}
        isPrimary
        check={checkDigits}
        send={(client, code) =>
          callAuth(client, auth => auth.mfa.challengeAndVerify({ factorId: factor.id, code }))
        }
        onDone={() => {
          reload()
          notify({
            tone: 'ok',
            title: 'Second factor verified',
            detail: 'This session is now at aal2.',
          })
        }}
      />
    </Card>
  )
}
