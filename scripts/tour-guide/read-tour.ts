// Reads the steps of the tour from its guide page, which is their only source.

/** A part of a step: a paragraph in the guide's Markdown, or code. */
export interface TourBlock {
  readonly kind: 'text' | 'code'
  readonly text: string
}

export interface TourStep {
  /** Number of the section and of the step in it, such as `2.3`. */
  readonly id: string
  readonly section: string
  readonly blocks: readonly TourBlock[]
}

/** `2. Break at the transition`: the sections that have steps are numbered. */
const HEADING = /^(\d+)\. ([^\n]+)\n/

/** Returns the steps in order: the items of a section's list, or the section itself if it has none. */
export function readTour(guide: string): readonly TourStep[] {
  return guide.split(/^## /m).flatMap(text => {
    const [heading, number = '', section = ''] = HEADING.exec(text) ?? []
    if (heading === undefined) return []
    const [lead = [], ...items] = itemsOf(blocksOf(text.slice(heading.length)))
    const steps = items.length > 0 ? items : [lead]
    return steps.map((blocks, at) => ({
      id: `${number}.${at + 1}`,
      section,
      // The introduction is a part of the first step.
      blocks: at === 0 && items.length > 0 ? [...lead, ...blocks] : blocks,
    }))
  })
}

/** Paragraphs, list items and code; pictures are left out, as the page itself shows the same. */
function blocksOf(body: string): readonly TourBlock[] {
  const parts = body.split(/^(```\w*\n[\s\S]*?^```)$/m)
  return parts.flatMap((part): readonly TourBlock[] => {
    if (part.startsWith('```')) return [{ kind: 'code', text: part.replace(/^```\w*\n|```$/g, '').trimEnd() }]
    return part
      .split(/\n{2,}|\n(?=\d+\. )/)
      .map(text => text.trim())
      .filter(text => text !== '' && !text.startsWith('!['))
      .map(text => ({ kind: 'text', text }))
  })
}

const ITEM = /^\d+\. /

/** The blocks before the first item of a list, and those of each item with what follows it. */
function itemsOf(blocks: readonly TourBlock[]): readonly (readonly TourBlock[])[] {
  const groups: TourBlock[][] = [[]]
  for (const block of blocks) {
    if (ITEM.test(block.text)) groups.push([{ ...block, text: block.text.replace(ITEM, '') }])
    else groups.at(-1)?.push(block)
  }
  return groups
}

/** A piece of a paragraph. */
export interface TourInline {
  readonly kind: 'plain' | 'strong' | 'em' | 'code' | 'kbd'
  readonly text: string
}

const INLINE = /\*\*([^*]+)\*\*|`([^`]+)`|<kbd>([^<]+)<\/kbd>|\[([^\]]+)\]\([^)]*\)|\b_([^_]+)_\b/g
const KINDS = ['strong', 'code', 'kbd', 'plain', 'em'] as const

/** Splits a paragraph into its pieces. A link is its text, as its target is a file of the repository. */
export function inlinesOf(paragraph: string): readonly TourInline[] {
  const pieces: TourInline[] = []
  let end = 0
  for (const match of paragraph.matchAll(INLINE)) {
    pieces.push({ kind: 'plain', text: paragraph.slice(end, match.index) })
    KINDS.forEach((kind, at) => {
      const text = match[at + 1]
      if (text !== undefined) pieces.push({ kind, text })
    })
    end = match.index + match[0].length
  }
  pieces.push({ kind: 'plain', text: paragraph.slice(end) })
  return pieces.filter(({ text }) => text !== '')
}
