// The phone number of an account, if the backend sends text messages: add, change, confirm by code.
import { callAuth, checkCode, checkPhone, cleanPhone } from '../../../../services/workbench/auth/index.ts'
import { useHostSettings } from '../../auth/use-host-settings.ts'
import { notify } from '../../shell/notify.ts'
import styles from '../account.module.css'
import { Card } from '../card.tsx'
import { CodeRow, DraftRow } from '../task/rows.tsx'
import { useUser } from './use-user.ts'

/** Renders nothing if the backend sends no text messages and there is no number. */
export function PhoneCard() {
  const { user, reload } = useUser()
  const { settings } = useHostSettings()
  if (user === undefined || (settings?.phone !== true && !user.phone)) return null
  const next = user.new_phone ?? ''
  return (
    <Card title="Phone">
      <p className={styles.text}>
        {user.phone
          ? `You can sign in with codes sent to +${user.phone}.`
          : 'Add a number to sign in with codes.'}
      </p>
      {next === '' ? null : (
        <CodeRow
          key={next}
          name="Confirm phone number"
          label="Code from the text message"
          note={`to +${next}`}
          check={code => checkCode(code).code}
          send={(client, token) =>
            callAuth(client, auth => auth.verifyOtp({ phone: next, token, type: 'phone_change' }))
          }
          onDone={() => {
            reload()
            notify({ tone: 'ok', title: 'Phone number changed' })
          }}
        />
      )}
      <DraftRow
        name="Change phone number"
        draft={`phone.${user.id}`}
        label="New number"
        type="tel"
        autoComplete="tel"
        placeholder="+44 20 7946 0000"
        action={user.phone ? 'Change number' : 'Add number'}
        check={phone => checkPhone(phone).phone}
        send={(client, phone) => callAuth(client, auth => auth.updateUser({ phone: cleanPhone(phone) }))}
        onDone={reload}
      />
    </Card>
  )
}
