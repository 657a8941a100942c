// The form that sends an event from the chart.
import { Button } from '../../widgets/button.tsx'
import { Form } from '../../widgets/form.tsx'
import type { SendFormProps } from '../chart/chart-driver.ts'
import type { DrivePlace } from './drive-panel.tsx'
import styles from './drive.module.css'
import { PayloadForm } from './send-tab.tsx'
import type { Drive } from './use-drive.ts'
import { useSend } from './use-send.ts'

export interface ChartSendProps extends SendFormProps {
  readonly drive: Drive
  readonly place: DrivePlace
}

export function ChartSend({ drive, place, actor, event, onDone }: ChartSendProps) {
  const send = useSend(drive, place, { to: actor, type: event })
  if (send.target?.path !== actor) return <p className={styles.faint}>{actor} is no longer running.</p>
  const submit = () => {
    if (send.send()) onDone()
  }
  return (
    <Form className={styles.new} onSubmit={submit} aria-label={`Send ${event}`}>
      <PayloadForm send={send} />
      <div className={styles.controls}>
        <Button type="submit" variant="primary" size="s">
          Send
        </Button>
        <Button size="s" variant="quiet" onPress={onDone}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}
