// One sentence about an actor: from the specification of its machine or port, or from the description that another
// app's machine has.
import { useCallback, useEffect, useState } from 'react'
import { type ActorEntry, isOwnSystem, type MachineChart } from '../../../trace/index.ts'
import { useConsole } from '../use-console.ts'

/** By machine, or by machine and port with a slash between them. */
type Sentences = Readonly<Record<string, string>>

interface Known {
  readonly actors: readonly ActorEntry[]
  readonly charts: Readonly<Record<string, MachineChart>>
  /** Those of this client and of the workbench; undefined for other systems, and until they are loaded. */
  readonly sentences: Sentences | undefined
}

/** Returns the sentence about an actor; undefined if there is none. */
export function actorSentence(
  { src, parent, kind }: ActorEntry,
  { actors, charts, sentences }: Known,
): string | undefined {
  const owner = parent === undefined ? undefined : actors[parent]
  const name = kind === 'machine' ? src : `${owner?.src}/${src}`
  const own = sentences && Object.hasOwn(sentences, name) ? sentences[name] : undefined
  const chart = kind === 'machine' && Object.hasOwn(charts, src) ? charts[src] : undefined
  return own ?? chart?.root.description
}

/** Returns a function with the sentence about an actor, by its index. */
export function useActorSentence(): (actor: number) => string | undefined {
  const { header, timeline, charts } = useConsole()
  const sentences = useSentences(isOwnSystem(header.system))
  return useCallback(
    actor => {
      const entry = timeline.actors[actor]
      return entry && actorSentence(entry, { actors: timeline.actors, charts, sentences })
    },
    [timeline, charts, sentences],
  )
}

/** Without the file, actors have no sentence. */
function useSentences(isOwn: boolean): Sentences | undefined {
  const [sentences, setSentences] = useState<Sentences>()
  const isMissing = isOwn && !sentences
  useEffect(() => {
    if (!isMissing) return
    let isWanted = true
    const settle = (found: Sentences) => isWanted && setSentences(found)
    import('./actor-sentences.json').then(
      module => settle(module.default),
      () => settle({}),
    )
    return () => {
      isWanted = false
    }
  }, [isMissing])
  return isOwn ? sentences : undefined
}
