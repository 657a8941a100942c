// `chartroom merge`: combines the results of all shards of a replay.
import { defineCommand } from './command.ts'
import { FileReport, OUTPUT_FLAGS } from './file-report.ts'
import { mergedResults } from './shards.ts'

export const mergeCommand = defineCommand({
  usage: 'merge RESULTS... [flags]',
  text: `Combines the results that \`chartroom replay --shard I/N --results FILE\` wrote, in the order of the whole
list, and reports them as one run. A shard whose results are missing is an error of the report.

Exit code: the worst of all shards; 2 if one is missing or cannot be used.`,
  flags: OUTPUT_FLAGS,
  takes: [1, Infinity, 'file'],
  async run({ values, names }) {
    const report = new FileReport('replay', { ...values, json: false })
    for (const result of await mergedResults(names)) report.add(result)
    return report.end()
  },
})
