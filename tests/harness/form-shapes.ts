// The shapes in which forms hold what is typed into a field: of five form libraries, of DOM events and of apps.

/** Names from the lists of public secret scanners and log scrubbers, in several spellings and languages. */
export const SCANNER_NAMES = (
  'pw pwd pass passwd passphrase passcode pswd mysql_pwd DB_PASS smtpPass user.password user-password userPassword USER_PASSWORD ' +
  'new_password passwordConfirmation secret client_secret consumerSecret consumer_key api_key apiKey apikey APIKEY appKey auth_key ' +
  'service_key account_key db_key database_key priv_key privKey private_key client_key vaultKey walletKey sessionid session_id ' +
  'PHPSESSID JSESSIONID connect.sid aiohttp_session csrftoken csrf_token _csrf xsrf XSRF-TOKEN csrfmiddlewaretoken cookie set_cookie ' +
  'authorization proxy_authorization authorisation auth credentials creds token access_token refreshToken bearer jwt signature ' +
  'x_api_key X-Auth-Token SAMLResponse oneTimeCode one-time-code otp mfaCode verification_code pin cvv cvc2 cc-csc cardNumber ' +
  'card_number credit_card_number ssn iban service_role magicLink resetLink psk nonce dsn connectionString connection_string ' +
  'DATABASE_URL redisUrl mnemonic seedPhrase recovery_phrase recoveryCodes backup_code securityAnswer xprv hmac sig oauth_verifier ' +
  'code_verifier deviceCode inviteCode kubeconfig keypair contraseña passwort Kennwort mot_de_passe senha wachtwoord hasło пароль 密码 ' +
  'パスワード 비밀번호 şifre lösenord'
).split(' ')

type Shape = (name: string, secret: string) => unknown

const own = (key: string, value: unknown) => ({ [key]: value })

/** What each state looks like after the secret was typed; written after the state of the libraries themselves. */
const LIBRARIES: Readonly<Record<string, Shape>> = {
  'react-hook-form, control': (name, secret) => ({
    _formValues: own(name, secret),
    _defaultValues: own(name, ''),
    _fields: own(name, { _f: { name, mount: true, value: secret } }),
    _names: { mount: new Set([name]), watch: new Set() },
    _formState: {
      errors: own(name, { type: 'minLength', message: `"${secret}" is too short` }),
      dirtyFields: own(name, true),
    },
  }),
  'react-hook-form, controller': (name, secret) => ({
    field: { name, value: secret, disabled: false },
    fieldState: { isDirty: true },
  }),
  'react-hook-form, setValue': (name, secret) => ({ args: [name, secret, { shouldDirty: true }] }),
  'formik, state': (name, secret) => ({
    values: own(name, secret),
    errors: own(name, `'${secret}' is too short`),
    touched: own(name, true),
    initialValues: own(name, ''),
  }),
  'formik, setFieldValue': (name, secret) => ({ method: 'setFieldValue', args: [name, secret, false] }),
  'formik, action': (name, secret) => ({ type: 'SET_FIELD_VALUE', payload: { field: name, value: secret } }),
  'formik, useField': (name, secret) => [
    { name, value: secret },
    { value: secret, error: `'${secret}' is bad`, touched: true, initialValue: '', initialTouched: false },
  ],
  'tanstack, form': (name, secret) => ({
    values: own(name, secret),
    fieldMetaBase: own(name, {
      isTouched: true,
      errors: [`${secret} is bad`],
      errorMap: { onChange: `${secret} is bad` },
    }),
    isSubmitting: false,
  }),
  'tanstack, field': (name, secret) => ({
    name,
    state: { value: secret, meta: { errors: [`no ${secret}`] } },
  }),
  'tanstack, setFieldValue': (name, secret) => ({ field: name, updater: secret }),
  'final-form, state': (name, secret) => ({
    formState: {
      values: own(name, secret),
      errors: own(name, `no ${secret}`),
      initialValues: own(name, secret),
    },
    fields: own(name, { name, value: secret, initial: secret, error: `no ${secret}`, dirty: true }),
  }),
  'final-form, field': (name, secret) => ({
    name,
    dirty: true,
    error: `'${secret}'`,
    initial: 'a',
    value: secret,
  }),
  'react-stately, field': (name, secret) => ({
    name,
    value: secret,
    validationState: 'invalid',
    displayValidation: { isInvalid: true, validationErrors: [`'${secret}' is bad`] },
  }),
}

const NAME_KEYS =
  'field key id path name property attribute inputName fieldName dataPath instancePath column parameter'.split(
    ' ',
  )
const VALUE_KEYS = 'value next text input newValue to payload rawValue detail data'.split(' ')

class Field {
  readonly name: string
  readonly value: unknown
  constructor(name: string, value: unknown) {
    this.name = name
    this.value = value
  }
}

/** Those that a JSON text can contain. */
const PLAIN: Readonly<Record<string, Shape>> = {
  ...LIBRARIES,
  ...Object.fromEntries(
    NAME_KEYS.map((key, at): [string, Shape] => [
      `named by ${key}`,
      (name, secret) =>
        VALUE_KEYS.map((value, n) =>
          (n + at) % 2 ? { [value]: secret, [key]: name } : { [key]: name, [value]: secret },
        ),
    ]),
  ),
  'below the name': (name, secret) => own(name, { value: secret, touched: true, error: `'${secret}'` }),
  'deep below the name': (name, secret) => own(name, { current: { value: [{ value: secret }] } }),
  'below a label': (name, secret) => [{ label: name, value: secret }],
  'a path': (name, secret) => [
    { path: `user.${name}`, value: secret },
    { path: ['user', name], value: secret },
    { field: `users[0].${name}`, value: secret },
    { op: 'replace', path: `/user/${name}`, value: secret },
    { path: `fields.${name}.value`, value: secret },
  ],
  'a tuple': (name, secret) => [name, secret],
  entries: (name, secret) => [
    ['email', 'a'],
    [name, secret],
  ],
  'raw headers': (name, secret) => ['Host', 'h.test', name, `${secret} 1`],
  'a keyed path': (name, secret) => own(`user.${name}`, secret),
  'an event named after it': (name, secret) => [
    { type: `SET_${name}`, value: secret },
    { type: `${name}.change`, payload: secret },
    { type: `field/${name}/CHANGED`, data: { value: secret } },
    { type: `SET_${name}`, event: { target: { value: secret } } },
  ],
  'a DOM event': (name, secret) => ({
    type: 'change',
    target: { name, type: 'text', value: secret },
    currentTarget: { id: name, value: secret },
  }),
  'a field next to its value': (name, secret) => ({ target: { name }, value: secret }),
  'fields in a list': (name, secret) => ({
    fields: [
      { name: 'email', value: 'a' },
      { name, state: { value: secret } },
    ],
  }),
  'an issue of a schema': (name, secret) => ({
    path: [name],
    message: `'${secret}' is too short`,
    received: secret,
    code: 'too_small',
  }),
  'JSON in JSON': (name, secret) => JSON.stringify({ body: JSON.stringify(own(name, { value: secret })) }),
  'JSON in a sentence': (name, secret) => `sent ${JSON.stringify(own(name, { value: secret, n: 1 }))} twice`,
  'JSON that is cut off': (name, secret) =>
    JSON.stringify({ a: 1, form: own(name, { value: secret }) }).slice(0, -3),
  'JSON in a URL': (name, secret) =>
    `/x?data=${encodeURIComponent(JSON.stringify(own(name, { value: secret })))}`,
  'a filter on a JSON path': (name, secret) => [
    `/rest/v1/t?extra-%3E%3E${encodeURIComponent(name)}=eq.${secret}`,
    `/rest/v1/t?or=%28extra-%3E%3E${encodeURIComponent(name)}.eq.${secret}%29`,
    `/rest/v1/t?extra=cs.${encodeURIComponent(JSON.stringify(own(name, secret)))}`,
    encodeURIComponent(`/rest/v1/t?extra-%3E%3E${encodeURIComponent(name)}=eq.${secret}`),
  ],
  texts: (name, secret) => [
    `${name}: ${secret}`,
    `a:\n  ${name}: ${secret} and more\nb: 1`,
    `<${name.replace(/^\d/, 'n')}>${secret}</x>`,
    `<input name="${name}" value="${secret}">`,
    `${name}="${secret} and more"`,
    `export ${name}='${secret} and more'`,
  ],
}

/** Those with objects that JSON has not. */
const OBJECTS: Readonly<Record<string, Shape>> = {
  'a map of fields': (name, secret) => new Map([[name, { value: secret }]]),
  'a map below it': (name, secret) => own(name, new Map([['value', secret]])),
  'a set': (name, secret) => own(name, new Set([secret])),
  'an error': (name, secret) => own(name, new Error(`no: ${secret}`, { cause: secret })),
  'a class instance': (name, secret) => [new Field(name, secret), own(name, new Field('x', secret))],
  headers: (name, secret) => (/^[\w-]+$/.test(name) ? new Headers([[name, secret]]) : []),
  parameters: (name, secret) => new URLSearchParams([[name, secret]]),
  address: (name, secret) => [
    new URL(`https://h.test/?${encodeURIComponent(name)}=${secret}`),
    new URL(`https://u:${secret}@h.test/`),
  ],
  bytes: (name, secret) => {
    const bytes = new TextEncoder().encode(secret)
    const letters = Uint16Array.from(secret, letter => letter.charCodeAt(0))
    return [bytes, bytes.buffer, Buffer.from(secret), new DataView(bytes.buffer), letters].map(each =>
      own(name, each),
    )
  },
  'a boxed text': (name, secret) => own(name, new String(secret)),
  'a symbol': (name, secret) => own(name, { value: Symbol(secret) }),
  'a getter': (name, secret) =>
    own(name, {
      get value() {
        return secret
      },
    }),
}

export const FORM_SHAPES: Readonly<Record<string, Shape>> = { ...PLAIN, ...OBJECTS }
export const JSON_SHAPES: readonly Shape[] = Object.values(PLAIN)

/** A text unchanged, in URLs, JSON, hexadecimal digits, UTF-16 and the three alignments of base64. */
export function encodingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const wide = Buffer.from(secret, 'utf16le')
  const aligned = (of: Buffer) =>
    [0, 1, 2].flatMap(shift => {
      const text = Buffer.concat([Buffer.alloc(shift), of]).toString('base64')
      // Without the characters that also depend on the bytes around it.
      const inner = text.slice(shift === 0 ? 0 : shift + 1, -4)
      return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')]
    })
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    ...aligned(bytes),
    ...aligned(wide),
    wide.toString('hex'),
  ]
}
