// The minimap at the place that the console looks at.
import { useConsole } from '../use-console.ts'
import { usePaced } from '../use-paced.ts'
import { Minimap } from './minimap.tsx'

/** How often it is drawn while a trace grows: all of it is counted each time. */
const PACE_MS = 250

export function MinimapStrip() {
  const { timeline, size, place, selection, go } = useConsole()
  const version = usePaced(size, PACE_MS, true)
  return (
    <Minimap
      timeline={timeline}
      version={version}
      seq={selection.at}
      isFollowing={selection.following}
      range={place.range}
      onRange={range => go({ type: 'range', range })}
      onMoment={seq => go({ type: 'moment', seq })}
    />
  )
}
