// Patterns with `*`, matched in time proportional to text times pattern; regular expressions with several
// `.*` take far longer.

type Test = (text: string) => boolean

/** One character; any number of characters, optionally except `/`; or a jump over optional parts. */
type Part =
  { readonly one: string } | { readonly many: 'any' | 'no-slash' | 'to-slash' } | { readonly jump: number }

/** `*` matches any characters. */
export function wildcardTest(pattern: string): Test {
  return testOf(
    pattern
      .split(/\*+/)
      .flatMap((text, at): Part[] => [...(at > 0 ? [{ many: 'any' } as const] : []), ...ones(text)]),
  )
}

// `*` matches any characters except `/`, `**` any characters, and `**/` any directories or none.
export function pathWildcardTest(pattern: string): Test {
  return testOf(
    pattern.split(/(\*\*\/|\*\*|\*)/).flatMap((part): Part[] => {
      if (part === '**/') return [{ jump: 2 }, { many: 'to-slash' }]
      if (part === '**') return [{ many: 'any' }]
      return part === '*' ? [{ many: 'no-slash' }] : ones(part)
    }),
  )
}

const ones = (text: string): Part[] =>
  Array.from({ length: text.length }, (_, at) => ({ one: text.charAt(at) }))

/** Follows all paths through the parts at once, character by character. */
function testOf(parts: readonly Part[]): Test {
  const enter = (states: Set<number>, at: number): void => {
    if (states.has(at)) return
    states.add(at)
    const part = parts[at]
    if (part === undefined || 'one' in part) return
    if ('jump' in part) enter(states, at + part.jump)
    if ('jump' in part || part.many !== 'to-slash') enter(states, at + 1)
  }
  const start = new Set<number>()
  enter(start, 0)
  return text => {
    let states = start
    for (let index = 0; index < text.length && states.size > 0; index += 1) {
      const letter = text.charAt(index)
      const next = new Set<number>()
      for (const at of states) {
        const part = parts[at]
        if (part === undefined || 'jump' in part) continue
        if ('one' in part) {
          if (part.one === letter) enter(next, at + 1)
        } else if (part.many === 'any' || (part.many === 'no-slash' && letter !== '/')) enter(next, at)
        else if (part.many === 'to-slash') {
          next.add(at)
          if (letter === '/') enter(next, at + 1)
        }
      }
      states = next
    }
    return states.has(parts.length)
  }
}
