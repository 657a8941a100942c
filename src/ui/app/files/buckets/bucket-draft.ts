// What is typed about a bucket, and what is wrong with it; pure.
import { boolean, exactOptional, object, string, type GenericSchema } from 'valibot'
import type { Bucket } from '../read-files.ts'

export interface BucketDraft {
  readonly id: string
  readonly isPublic: boolean
  /** As `50 MB`, empty for any size. */
  readonly size: string
  /** As `image/png, image/*`, empty for any type. */
  readonly types: string
}

/** What was changed by hand, over what the bucket has: another field may become another meanwhile. */
export const writtenSchema: GenericSchema<unknown, Partial<BucketDraft>> = object({
  id: exactOptional(string()),
  isPublic: exactOptional(boolean()),
  size: exactOptional(string()),
  types: exactOptional(string()),
})

const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9 }

/** Bytes of `2.5 MB`; undefined for none, NaN for what is no size. */
export function bytesOf(text: string): number | undefined {
  if (text.trim() === '') return undefined
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const factor = UNITS[unit.toLowerCase()]
  return number === '' || factor === undefined ? Number.NaN : Math.floor(Number(number) * factor)
}

/** The types, each once. */
export const typesOf = (text: string): readonly string[] | undefined => {
  const types = text.split(/[\s,]+/).filter(Boolean)
  return types.length === 0 ? undefined : [...new Set(types.map(type => type.toLowerCase()))]
}

export const draftOf = (bucket: Bucket | undefined): BucketDraft => ({
  id: bucket?.id ?? '',
  isPublic: bucket?.isPublic ?? false,
  size: bucket?.maxBytes === undefined ? '' : String(bucket.maxBytes),
  types: bucket?.types?.join(', ') ?? '',
})

export type DraftFaults = Partial<Record<keyof BucketDraft, string>>

/** @param taken names of other buckets; none is asked for where one is changed */
export function draftFaults({ id, size, types }: BucketDraft, taken: readonly string[]): DraftFaults {
  const wrong = typesOf(types)?.find(type => !/^[\w.+*-]+\/[\w.+*-]+$/.test(type))
  return {
    ...(!/^[\w.\- ]{1,100}$/.test(id) && {
      id: 'Use letters, digits, dots, dashes and spaces, at most 100.',
    }),
    ...(taken.includes(id) && { id: 'There is a bucket of this name already.' }),
    ...(Number.isNaN(bytesOf(size)) && { size: 'Write a size like 50 MB, or nothing for any.' }),
    ...(wrong !== undefined && { types: `“${wrong}” is no type: write them as image/png or image/*.` }),
  }
}
