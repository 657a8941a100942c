// Regular expressions that are built at run time: samples of them, or why no external text makes them slow.

export interface BuiltRegex {
  readonly why: string
  /** Built expressions, to be tested with hostile texts. */
  readonly samples: readonly RegExp[]
}

/** By file; one entry for each expression that the file builds. */
export const BUILT: Readonly<Record<string, readonly BuiltRegex[]>> = {
  'backend/database/extensions.ts': [
    {
      why: "applied to the project's own migrations at its start",
      samples: [/\bcreate\s+extension\s+(?:if\s+not\s+exists\s+)?(?:"([^"]+)"|([a-z_][\w$]*))/gi],
    },
    {
      why: "applied to the project's own migrations at its start",
      samples: [
        /\b(create|alter)\s+extension\s+(if\s+not\s+exists\s+)?(?:"([^"]+)"|([a-z_][\w$]*))((?:\s+(?:with|cascade|update|set|(?:schema|version|to)\s+(?:'+[^']+'+|"[^"]+"|[a-z_][\w$]*))(?![\w$]))*)/gi,
      ],
    },
    {
      why: "applied to the project's own migrations at its start",
      samples: [/\bversion\s+(?:'+([^']+)'+|"([^"]+)"|([a-z_][\w$]*))/i],
    },
    {
      why: "applied to the project's own migrations at its start",
      samples: [/^\s*update\s+to\s+(?:'+([^']+)'+|"([^"]+)"|([a-z_][\w$]*))/i],
    },
    {
      why: "applied to the project's own migrations at its start",
      samples: [/\bcreate\s+extension(?=\s+"?(?:pg_graphql|pg_net|pgjwt|pgsodium)"?(?![\w"]))/gi],
    },
    {
      why: "applied to the project's own migrations at its start",
      samples: [/\bdrop\s+extension(?=\s+"?(?:pg_graphql|pg_net|pgjwt|pgsodium)"?(?![\w"]))/gi],
    },
  ],
  'backend/database/pglite/extensions.ts': [
    {
      why: 'a fixed key of the control file of an extension',
      samples: [/^[ \t]*requires[ \t]*=[ \t]*'([^']*)'/m],
    },
  ],
  'backend/database/server/superuser.ts': [
    {
      why: "applied to the project's own migrations at its start",
      samples: [
        /\bcreate\s+foreign\s+data\s+wrapper\s+(?:"((?:[^"]|"")+)"|([a-z_][\w$]*))(?:\s+handler\s+((?:"[^"]+"|[a-z_][\w$]*)(?:\.(?:"[^"]+"|[a-z_][\w$]*))?))?(?:\s+validator\s+((?:"[^"]+"|[a-z_][\w$]*)(?:\.(?:"[^"]+"|[a-z_][\w$]*))?))?(?=\s*;)/gi,
      ],
    },
    {
      why: "applied to the project's own migrations at its start",
      samples: [
        /\bcreate\s+extension\s+(?:if\s+not\s+exists\s+)?(?:"((?:[^"]|"")+)"|([a-z_][\w$]*))([^;']*)/gi,
      ],
    },
    {
      why: "applied to the project's own migrations at its start",
      samples: [
        /\bcreate\s+event\s+trigger\s+(?:"((?:[^"]|"")+)"|([a-z_][\w$]*))\s+on\s+(\w+)([^;$]{0,1000}?)\bexecute\s+(?:function|procedure)\s+([\w."$]+)\s*\(\s*\)/gi,
      ],
    },
    {
      why: "applied to the project's own migrations at its start",
      samples: [
        /\balter\s+event\s+trigger\s+(?:"((?:[^"]|"")+)"|([a-z_][\w$]*))\s+(enable|disable)(?:\s+(?:always|replica))?/gi,
      ],
    },
    {
      why: "applied to the project's own migrations at its start",
      samples: [
        /\balter\s+event\s+trigger\s+(?:"((?:[^"]|"")+)"|([a-z_][\w$]*))\s+owner\s+to\s+"?postgres"?\s*;/gi,
      ],
    },
    {
      why: "applied to the project's own migrations at its start",
      samples: [
        /\bdrop\s+event\s+trigger\s+(if\s+exists\s+)?(?:"((?:[^"]|"")+)"|([a-z_][\w$]*))(?:\s+(?:cascade|restrict))?/gi,
      ],
    },
    {
      why: "applied to the project's own migrations at its start",
      samples: [
        /\bcreate\s+publication\s+(?:"((?:[^"]|"")+)"|([a-z_][\w$]*))\s+for\s+all\s+tables(?!\s+with)/gi,
      ],
    },
    {
      why: "applied to the project's own migrations at its start",
      samples: [/\bschema\s+(?:"((?:[^"]|"")+)"|([a-z_][\w$]*))/gi],
    },
  ],
  'backend/storage/blobs.ts': [
    {
      why: 'the format of a generated name, which the database checks too',
      samples: [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
    },
  ],
  'src/cli/pseudonyms.ts': [{ why: 'alternatives of escaped texts', samples: [/secret-1|secret|x\.y/g] }],
  'src/cli/redact-trace.ts': [
    {
      why: 'the letters of names given to the command, with separators between them',
      samples: [/"[_-]*(?:p[_-]*i[_-]*n|c[_-]*a[_-]*r[_-]*d)[_-]*"/iu],
    },
  ],
  'src/services/recording/store/redact-stored.ts': [
    { why: 'alternatives of escaped texts', samples: [/"type":"(?:[^"\\]|\\.)*"|secret-1|secret/g] },
  ],
  'src/trace/codec/codec-decode.ts': [{ why: 'digits up to a fixed number', samples: [/^-?\d{1,10000}$/] }],
  'src/trace/codec/web-values.ts': [
    { why: 'an expression of the recorded app, used only by its own replayed code', samples: [/a/] },
  ],
  'src/trace/redact/secret-formats.ts': [
    {
      why: 'tested as a whole by tests/trace/redact-time.test.ts, and here in parts',
      samples: [
        /(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}|\\[nrt]))(?:sb_(?:secret|publishable)_[\w-]+|SG\.[\w-]{16,64}\.[\w-]{16,}|\d{8,10}:AA[\w-]{33}|sk-[\w-]{20,}|(?:npm|hf)_[\w-]{20,}|\$argon2(?:id|i|d)\$[\w+/=$,.-]{20,})/g,
      ],
    },
    {
      why: 'a quotation mark with the backslashes before it, of which there are at most 127',
      samples: [/\\\\"((?:(?!\\\\").)*)(?:\\\\"(\s*:)?|$)|(?<=[:[,]\s{0,8})(\d{3,})/gs],
    },
  ],
  'src/trace/redact/secret-names.ts': [
    {
      why: 'words of names, applied to at most 120 letters',
      samples: [/pass(?:word|wd|phrase|code|wrd)(?!less)|(?:db|user|key)(?:pass|pw)$|parola(?![a-z])/],
    },
  ],
  'src/trace/redact/secrets.ts': [
    { why: "an app's pattern for its own secrets", samples: [] },
    { why: 'alternatives of escaped texts', samples: [/secret-1|secret|x\.y/g] },
  ],
}
