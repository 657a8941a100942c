// One-line banner for anything that limits the app: what it is and what still works.
import { CloudOff, KeyRound, Unplug } from 'lucide-react'
import { use, type MouseEvent, type ReactNode } from 'react'
import { useStatus } from '../../react/index.ts'
import { RouterContext } from '../lazy-router.ts'
import { troubleOf, type Trouble } from './health.ts'
import styles from './shell.module.css'

const text = (trouble: Trouble, host: string): readonly [ReactNode, string, string] => {
  switch (trouble) {
    case 'offline':
      return [
        <CloudOff key="icon" size={15} aria-hidden />,
        'You’re offline.',
        'You can still read what is on screen and use the console. Loading, saving and live changes resume automatically.',
      ]
    case 'backendSilent':
      return [
        <Unplug key="icon" size={15} aria-hidden />,
        `Can’t reach ${host}.`,
        'Retrying… You stay signed in, and nothing on screen is lost.',
      ]
    case 'renewalDelayed':
      return [
        <KeyRound key="icon" size={15} aria-hidden />,
        `${host} did not refresh your access token.`,
        'Your current token is still valid. Retrying automatically.',
      ]
    case 'tokenExpired':
      return [
        <KeyRound key="icon" size={15} aria-hidden />,
        'Your access token has expired.',
        'Nothing is sent in your name until it is refreshed. Retrying automatically.',
      ]
  }
}

export interface BannerProps {
  readonly host: string
  /** Requests to the backend get no response. */
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
      Diagnostics
    </a>
  )
}

/** Renders nothing if there is no problem. */
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
