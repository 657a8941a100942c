// Parts of a list of files that several machines work on, and the files in which they leave their results.
import { readFile } from 'node:fs/promises'
import { UsageError } from './command.ts'
import { type FileResult, resultOf, unusable } from './file-report.ts'
import { fileReason } from './write-file.ts'

/** The `index`-th of `count` parts; counts from 1. */
export interface Shard {
  readonly index: number
  readonly count: number
}

export const WHOLE_SHARD: Shard = { index: 1, count: 1 }

const MOST_SHARDS = 10_000

/** @throws UsageError if the text is no part such as `1/4` */
export function readShard(text: string): Shard {
  const [, index = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number)
  if (count < 1 || count > MOST_SHARDS)
    throw new UsageError(
      `--shard must be a part such as 1/4, of at most ${MOST_SHARDS.toLocaleString('en')}, not "${text}".`,
    )
  if (index < 1 || index > count)
    throw new UsageError(`--shard ${text} does not exist: the parts are 1/${count} to ${count}/${count}.`)
  return { index, count }
}

/** Deals the files out one by one, since neighbors are often of a similar size. */
export const partOf = (files: readonly string[], { index, count }: Shard): string[] =>
  files.filter((_, at) => at % count === index - 1)

const KIND = 'chartroom replay results'
const VERSION = 1

/** Content of a results file: the results of one shard, in order. */
interface ResultsFile {
  readonly kind: typeof KIND
  readonly version: number
  readonly shard: Shard
  /** Number of files of all shards. */
  readonly files: number
  readonly results: readonly FileResult[]
}

/** Formats the results of a shard; `files` are those of all shards. */
export function resultsText(shard: Shard, files: readonly string[], results: readonly FileResult[]): string {
  const content: ResultsFile = { kind: KIND, version: VERSION, shard, files: files.length, results }
  return `${JSON.stringify(content)}\n`
}

/**
 * Reads the results of all shards, in the order of the whole list. What is missing or unusable is a result, too,
 * so that the report of the others still exists.
 */
export async function mergedResults(files: readonly string[]): Promise<FileResult[]> {
  const problems: FileResult[] = []
  const parts: { file: string; content: ResultsFile }[] = []
  for (const file of files) {
    const content = await readResults(file)
    const problem = typeof content === 'string' ? content : conflictOf(content, parts)
    if (problem !== undefined) problems.push(resultOf(file, 0, unusable(problem), false))
    else if (typeof content !== 'string') parts.push({ file, content })
  }
  const results = parts.flatMap(({ content: { shard, results: shardResults } }) =>
    shardResults.map((result, at) => ({ result, at: at * shard.count + shard.index - 1 })),
  )
  return [
    ...results.toSorted((a, b) => a.at - b.at).map(({ result }) => result),
    ...problems,
    ...missingFrom(parts.map(({ content }) => content)),
  ]
}

/** Why a results file cannot be added to the others. */
function conflictOf(
  { shard, files }: ResultsFile,
  parts: readonly { readonly file: string; readonly content: ResultsFile }[],
): string | undefined {
  const [first] = parts
  if (!first) return undefined
  const { content } = first
  if (content.shard.count !== shard.count)
    return `has shard ${shard.index}/${shard.count}, but ${first.file} is one of ${content.shard.count}: they belong to different runs`
  if (content.files !== files)
    return `is a part of ${files} files, but ${first.file} one of ${content.files}: give every shard the same list`
  const duplicate = parts.find(({ content: candidate }) => candidate.shard.index === shard.index)
  return (
    duplicate && `has shard ${shard.index}/${shard.count}, as ${duplicate.file} does: give each shard once`
  )
}

function missingFrom(parts: readonly ResultsFile[]): FileResult[] {
  const [first] = parts
  if (!first) return []
  const { count } = first.shard
  const present = new Set(parts.map(({ shard }) => shard.index))
  return Array.from({ length: count }, (_, at) => at + 1)
    .filter(index => !present.has(index))
    .map(index => {
      const reason = 'its results are missing: the shard did not finish, or its file was not given'
      return resultOf(`shard ${index}/${count}`, 0, unusable(reason), false)
    })
}

/** The content, or why it cannot be used. */
async function readResults(file: string): Promise<ResultsFile | string> {
  let content: unknown
  try {
    content = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    return error instanceof SyntaxError
      ? 'is not JSON: give files that `chartroom replay --results` wrote'
      : `cannot be read: ${fileReason(error)}`
  }
  if (!isRecord(content) || content['kind'] !== KIND)
    return 'has no results: give files that `chartroom replay --results` wrote'
  if (content['version'] !== VERSION)
    return `has results of version ${String(content['version'])}, this build reads ${VERSION}: use the same version of chartroom everywhere`
  return isResultsFile(content) ? content : 'is damaged: fields are missing'
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

function isResultsFile(
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & ResultsFile {
  const { shard, files, results } = value
  if (!isRecord(shard) || !Array.isArray(results) || !isCount(files)) return false
  const { index, count } = shard
  if (!isCount(index) || !isCount(count) || index < 1 || index > count || count > MOST_SHARDS) return false
  const length = Math.ceil((files - index + 1) / count)
  return results.length === Math.max(0, length) && results.every(isResult)
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function isResult(value: unknown): value is FileResult {
  if (!isRecord(value)) return false
  const { seconds, code, lines, at } = value
  return (
    ['file', 'outcome', 'message', 'problem'].every(name => typeof value[name] === 'string') &&
    typeof seconds === 'number' &&
    (code === 0 || code === 1 || code === 2) &&
    Array.isArray(lines) &&
    lines.every(line => typeof line === 'string') &&
    (at === undefined || isPosition(at))
  )
}

const isPosition = (value: unknown) =>
  isRecord(value) && typeof value['file'] === 'string' && isCount(value['line']) && isCount(value['column'])
