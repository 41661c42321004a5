import { type ApiKeyRow, listApiKeys } from '#database/operations/api-keys.ts'
import { makeApiKey, revokeApiKey } from '#shop/operations/api-keys.ts'
import { commandGroup, isConfirmed, jsonOption, textGiven, yesOption } from '../shared/command-group.ts'
import { fail, rejectUsage } from '../shared/messages.ts'
import { minute } from '../shared/record-text.ts'
import { tableLines } from '../shared/table.ts'

const longestDescription = 100
const permissions = ['read', 'write', 'read_write'] as const

export const apiKeysCommand = commandGroup('api-keys', {
  list: {
    usage: '[--json]',
    summary: 'Lists the keys. Their secrets cannot be shown again.',
    example: '',
    options: jsonOption,
    words: [0, 0],
    async run(_, { json }, { db, print, say }) {
      const keys = await listApiKeys(db.kysely)
      if (json) print(JSON.stringify(keys.map(keyJson)))
      else if (keys.length === 0) say('There are no API keys yet. Create one: api-keys create "Bookkeeping"')
      else {
        const rows = keys.map((key) => [
          String(key.id),
          key.description,
          key.permission,
          `…${key.key_end}`,
          `${minute(key.created_at)} by ${key.made_by}`,
          key.last_used_at ? minute(key.last_used_at) : 'never',
        ])
        const head = ['Number', 'For', 'May', 'Ends in', 'Made (UTC)', 'Last used (to the hour)']
        for (const line of tableLines([head, ...rows], [0])) print(line)
      }
      return 0
    },
  },

  create: {
    usage: '<purpose> [--permission <permission>] [--json]',
    summary: 'Creates a key for a program, and shows it once. It may read, unless another permission is given.',
    example: '"Warehouse" --permission read_write',
    options: {
      ...jsonOption,
      permission: {
        type: 'string',
        value: '<permission>',
        what: 'read, write or read_write',
        completes: permissions,
      },
    },
    words: [1, 1],
    async run([words = ''], { json, permission: wanted }, context) {
      const permission = permissions.find((one) => one === (textGiven(wanted) ?? 'read'))
      if (!permission) {
        return rejectUsage(
          context,
          `--permission "${textGiven(wanted)}" is not one of ${permissions.join(', ')}. Example: api-keys create "Warehouse" --permission read_write`,
        )
      }
      const description = words.trim()
      if (description === '' || description.length > longestDescription) {
        return rejectUsage(
          context,
          `the purpose "${description}" must have 1 to ${longestDescription} characters. Example: api-keys create "Bookkeeping"`,
        )
      }
      const { id, consumerKey, consumerSecret } = await makeApiKey(context, {
        description,
        permission,
        who: context.who,
      })
      if (json) context.print(JSON.stringify({ id, description, permission, consumerKey, consumerSecret }))
      else {
        context.print(`Consumer key     ${consumerKey}`)
        context.print(`Consumer secret  ${consumerSecret}`)
        context.say(
          `Created API key ${id} for ${context.publicUrl}/wp-json/wc/v3/ (${permission.replace('_', ' and ')}). Copy it: it is shown once.`,
        )
      }
      return 0
    },
  },

  revoke: {
    usage: '<number> [--yes]',
    summary: 'Revokes a key at once.',
    example: '3 --yes',
    options: yesOption,
    words: [1, 1],
    async run([word = ''], given, context) {
      if (!/^\d{1,15}$/.test(word)) {
        return rejectUsage(context, `"${word}" is not the number of an API key. List them: api-keys list`)
      }
      const consequence = 'Programs that use it lose access.'
      if (!(await isConfirmed(given, context, `Revoke API key ${word}`, consequence))) return 1
      const gone = await revokeApiKey(context, { id: Number(word), who: context.who })
      if (!gone) return fail(context, `API key ${word} does not exist. List them: api-keys list`)
      context.say(`Revoked API key ${word}.`)
      return 0
    },
  },
})

function keyJson({ id, description, permission, key_end, made_by, created_at, last_used_at }: ApiKeyRow) {
  return { id, description, permission, endsIn: key_end, madeBy: made_by, madeAt: created_at, lastUsedAt: last_used_at }
}
