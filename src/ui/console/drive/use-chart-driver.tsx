// Connects the chart to the controlled system: timers count down and events can be sent.
import { useEffect, useMemo, useRef } from 'react'
import type { ChartDriver, SendFormProps } from '../chart/chart-driver.ts'
import type { DrivePlace } from './drive-panel.tsx'
import type { Drive } from './use-drive.ts'
import { Button } from '../../widgets/button.tsx'
import { Form } from '../../widgets/form.tsx'
import styles from './drive.module.css'
import { PayloadForm } from './send-tab.tsx'
import { useSend } from './use-send.ts'

const NOBODY: ChartDriver = {}

/**
 * Returns the same driver while the same system is controlled, because rerendering the chart is expensive.
 */
export function useChartDriver(
  drive: Drive | undefined,
  place: DrivePlace,
  isLive: boolean,
  goTo: (state: string) => void,
): ChartDriver {
  const latest = useRef({ drive, place, goTo })
  useEffect(() => {
    latest.current = { drive, place, goTo }
  })
  const control = drive?.control
  return useMemo(() => {
    if (!control || !isLive) return NOBODY
    const left = (number: number) => control.timers().find(timer => timer.number === number)?.left ?? 0
    return {
      timers: actor =>
        control
          .timers()
          .filter(timer => timer.actor === actor)
          .map(({ number, event: { type } }) => ({ type, left: () => left(number) })),
      onGo: (_actor, state) => latest.current.goTo(state),
      renderSend(props) {
        const now = latest.current
        return now.drive ? <ChartSend {...props} drive={now.drive} place={now.place} /> : null
      },
    }
  }, [control, isLive])
}

// The form that sends an event from the chart.
interface ChartSendProps extends SendFormProps {
  readonly drive: Drive
  readonly place: DrivePlace
}

function ChartSend({ drive, place, actor, event, onDone }: ChartSendProps) {
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
