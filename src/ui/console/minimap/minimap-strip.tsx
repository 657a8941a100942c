// The minimap at the console's place.
import { useShownRange } from '../canvas/use-shown-range.ts'
import { useVerdicts } from '../checks/verdicts.ts'
import { useTones } from '../timeline/use-tones.ts'
import { useConsole } from '../use-console.ts'
import { Minimap } from './minimap.tsx'

export function MinimapStrip() {
  const { timeline, charts, place, selection, go } = useConsole()
  const { version } = useShownRange()
  const { findings } = useVerdicts()
  return (
    <Minimap
      timeline={timeline}
      version={version}
      toneOf={useTones(timeline, charts)}
      seq={selection.at}
      isFollowing={selection.following}
      range={place.range}
      marks={place.marks}
      findings={findings}
      onRange={range => go({ type: 'range', range })}
      onMoment={seq => go({ type: 'moment', seq })}
    />
  )
}
