// The response of GET /settings.
import type { AuthSettings } from './settings.ts'

const PROVIDERS = [
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'snapchat',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'keycloak',
  'kakao',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'spotify',
  'slack',
  'slack_oidc',
  'workos',
  'twitch',
  'twitter',
  'zoom',
]

export function describeSettings(settings: AuthSettings): Record<string, unknown> {
  const { email, sms, external } = settings
  return {
    external: {
      anonymous_users: settings.enableAnonymousSignIns,
      ...Object.fromEntries(PROVIDERS.map(name => [name, external[name]?.enabled ?? false])),
      email: email.enableSignup,
      phone: sms.enableSignup,
    },
    disable_signup: !settings.enableSignup,
    mailer_autoconfirm: !email.enableConfirmations,
    phone_autoconfirm: !sms.enableConfirmations,
    sms_provider: '',
    saml_enabled: false,
    // True in the official server, too, where SAML is off.
    saml_private_key_next_configured: true,
    passkeys_enabled: settings.passkey.enabled,
  }
}
