// One-line banner for anything that limits the app: what it is, since when, the next attempt, and its cause.
import { CloudOff, KeyRound, Radio, TriangleAlert, Unplug } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { type BackendFault, backendHealthOf } from '../../../services/workbench/hosts/index.ts'
import { useClient } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { EnterKeyButton } from '../connect/key-dialog.tsx'
import { useNow } from '../hooks.ts'
import { useConnected } from '../connected-context.ts'
import { WHY_TROUBLE } from '../requests/questions.ts'
import { ReasonText } from '../requests/reason-text.tsx'
import { WhyButton } from '../requests/why-button.tsx'
import { describeNext, describeTrouble } from './describe-trouble.ts'
import { troubleLabel } from './health.ts'
import styles from './shell.module.css'
import { useWorkspace } from '../workspace.tsx'
import { useBackendTrouble } from './use-backend-trouble.ts'

const icon = { size: 15, 'aria-hidden': true } as const
const ICONS: Readonly<Record<BackendFault, ReactNode>> = {
  offline: <CloudOff {...icon} />,
  unreachable: <Unplug {...icon} />,
  maintenance: <TriangleAlert {...icon} />,
  failing: <TriangleAlert {...icon} />,
  keyRejected: <KeyRound {...icon} />,
  tokenExpired: <KeyRound {...icon} />,
  renewalDelayed: <KeyRound {...icon} />,
  liveLost: <Radio {...icon} />,
}

function ToConnections() {
  const { router } = useConnected()
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    router.whenThere(there => void there.navigate({ to: '/connections' }))
  }
  return (
    <a href={`${import.meta.env.BASE_URL}connections`} onClick={go}>
      Diagnostics
    </a>
  )
}

/** Renders nothing if there is no problem. */
export function Banner({ host }: { readonly host: string }) {
  const client = useClient()
  const trouble = useBackendTrouble()
  const { active } = useWorkspace()
  const now = useNow()
  if (trouble === undefined) return null
  const { title, since, advice } = describeTrouble(trouble, host)
  const isHost = trouble.fault !== 'offline' && troubleLabel(trouble) !== undefined
  return (
    <section className={styles.banner} aria-label="Backend status">
      {ICONS[trouble.fault]}
      <output>
        <strong>{title}</strong> {since} {advice} {/* A new fault never shows the reason of the last one. */}
        <ReasonText
          key={trouble.fault}
          of={`${trouble.status} ${trouble.nextAt}`}
          {...WHY_TROUBLE[trouble.fault]}
        />
      </output>
      {/* Outside of the live region: a countdown is not announced. */}
      <span role="timer" className={styles.next}>
        {describeNext(trouble, now)}
      </span>
      <span className={styles.bannerActions}>
        {trouble.fault === 'keyRejected' && active ? <EnterKeyButton connection={active} /> : null}
        {trouble.fault === 'offline' || trouble.fault === 'liveLost' ? null : (
          <Button size="s" onPress={() => backendHealthOf(client)?.retry()}>
            {trouble.fault === 'keyRejected' ? 'Try again' : 'Retry now'}
          </Button>
        )}
        <WhyButton of={title} {...WHY_TROUBLE[trouble.fault]} />
        {isHost ? <ToConnections /> : null}
      </span>
    </section>
  )
}
