// One line under the bar when something keeps the app from working fully: what, and what still works.
import { CloudOff, KeyRound, Unplug } from 'lucide-react'
import { use, type MouseEvent, type ReactNode } from 'react'
import { useStatus } from '../../react.ts'
import { RouterContext } from '../router-later.ts'
import { troubleOf, type Trouble } from './health.ts'
import styles from './shell.module.css'

const text = (trouble: Trouble, host: string): readonly [ReactNode, string, string] => {
  switch (trouble) {
    case 'offline':
      return [
        <CloudOff key="icon" size={15} aria-hidden />,
        'You are offline.',
        'What is on screen stays and can be read, and the console keeps working. Loading, saving and live changes resume by themselves.',
      ]
    case 'backendSilent':
      return [
        <Unplug key="icon" size={15} aria-hidden />,
        `${host} does not answer.`,
        'You stay signed in and what is on screen stays. Chartroom keeps trying and picks up where it was.',
      ]
    case 'renewalDelayed':
      return [
        <KeyRound key="icon" size={15} aria-hidden />,
        `${host} did not renew your access token.`,
        'The one you have still holds. Chartroom asks again by itself.',
      ]
    case 'tokenExpired':
      return [
        <KeyRound key="icon" size={15} aria-hidden />,
        'Your access token has expired.',
        'Nothing is sent in your name until it is renewed; that happens by itself.',
      ]
  }
}

export interface BannerProps {
  readonly host: string
  /** What is asked of the host comes back without an answer. */
  readonly isSilent: boolean
}

function ToConnections() {
  const router = use(RouterContext)
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    router.whenThere(there => void there.navigate({ to: '/connections' }))
  }
  return (
    <a href={`${import.meta.env.BASE_URL}connections`} onClick={go}>
      See what answers
    </a>
  )
}

/** Nothing while all is well. */
export function Banner({ host, isSilent }: BannerProps) {
  const trouble = useStatus(troubleOf) ?? (isSilent ? 'backendSilent' : undefined)
  if (trouble === undefined) return null
  const [icon, title, detail] = text(trouble, host)
  return (
    <output className={styles.banner}>
      {icon}
      <span>
        <strong>{title}</strong> {detail}
        {trouble === 'backendSilent' ? (
          <>
            {' '}
            <ToConnections />
          </>
        ) : null}
      </span>
    </output>
  )
}
