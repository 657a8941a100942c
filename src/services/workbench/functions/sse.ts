// Parses server-sent events from text chunks, following the HTML standard.

export interface ServerEvent {
  readonly event: string
  readonly data: string
  readonly id: string | undefined
}

export interface EventReader {
  /** Returns the events completed by this chunk. */
  push(text: string): readonly ServerEvent[]
}

/** Chunks may be split anywhere, even inside a line break. */
export function createEventReader(): EventReader {
  let rest = ''
  let isFirst = true
  let event = ''
  let data: string[] = []
  let id: string | undefined
  const finish = (): ServerEvent | undefined => {
    const done = data.length === 0 ? undefined : { event: event || 'message', data: data.join('\n'), id }
    event = ''
    data = []
    return done
  }
  const take = (line: string) => {
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') event = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) id = value
  }
  return {
    push(text) {
      rest += isFirst ? text.replace(/^\uFEFF/, '') : text
      isFirst &&= text === ''
      // A CR at the end may be half of a CRLF.
      const held = rest.endsWith('\r') ? '\r' : ''
      const lines = rest.slice(0, rest.length - held.length).split(/\r\n|\r|\n/)
      rest = (lines.pop() ?? '') + held
      const events: ServerEvent[] = []
      for (const line of lines) {
        if (line !== '') take(line)
        else {
          const done = finish()
          if (done) events.push(done)
        }
      }
      return events
    },
  }
}
