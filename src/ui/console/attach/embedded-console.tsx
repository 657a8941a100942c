// The console in another app's page, which can move to a separate window.
// First, since it sets the order of the layers.
import '../../widgets/tokens.css'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../widgets/button.tsx'
import { EmptyState } from '../../widgets/state.tsx'
import { Console } from '../console.tsx'
import { memoryLocation } from '../model/location.ts'
import type { ChartroomConsoleProps } from './chartroom-console.tsx'
import { DockedConsole } from './docked-console.tsx'
import { EmbeddedFrame } from './embedded-frame.tsx'
import { linkOwnWindow } from './link.ts'
import { tabIdOf } from './tab-protocol.ts'

export function EmbeddedConsole({ theme, ownWindow, ...props }: ChartroomConsoleProps) {
  return (
    <EmbeddedFrame theme={theme}>
      {ownWindow === undefined ? <Console {...props} /> : <MovableConsole {...props} page={ownWindow} />}
    </EmbeddedFrame>
  )
}

interface MovableConsoleProps extends Omit<ChartroomConsoleProps, 'ownWindow' | 'theme'> {
  /** URL of the console's own page. */
  readonly page: string
}

/** Shows the console here, or a note while it is in its own window. */
function MovableConsole({ page, ...props }: MovableConsoleProps) {
  const { recording, control, onMoment } = props
  const report = useRef(onMoment)
  useEffect(() => {
    report.current = onMoment
  }, [onMoment])
  const [location] = useState(memoryLocation)
  // After a reload, the window of this tab connects again.
  const [tab, setTab] = useState(() => tabIdOf(window))
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    if (tab === undefined) return undefined
    return linkOwnWindow(tab, recording, {
      control,
      onMoment: moment => report.current?.(moment),
      onDock(at) {
        location.write(at, 'replace')
        setAway(false)
      },
    })
  }, [tab, recording, control, location])
  if (isAway)
    return (
      <EmptyState
        title="The console is in a separate window"
        action={<Button onPress={() => setAway(false)}>Show it here</Button>}
      />
    )
  return (
    <DockedConsole
      {...props}
      ownsPalette={false}
      page={page}
      location={location}
      onDetach={own => {
        setTab(own)
        setAway(true)
      }}
    />
  )
}
