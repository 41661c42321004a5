import { type ApiKeyRow, listApiKeys } from '#database/operations/api-keys.ts'
import { makeApiKey, revokeApiKey } from '#shop/operations/api-keys.ts'
import { commandGroup, isMeant, jsonOption, yesOption } from '../shared/command-group.ts'
import { minute } from '../shared/record-text.ts'
import { tableLines } from '../shared/table.ts'

const longestDescription = 100

export const apiKeysCommand = commandGroup('api-keys', {
  list: {
    usage: '[--json]',
    summary: 'Which keys there are. Nobody can see them whole again.',
    options: jsonOption,
    words: [0, 0],
    async run(_, { json }, { db, print, say }) {
      const keys = await listApiKeys(db.kysely)
      if (json) print(JSON.stringify(keys.map(keyJson)))
      else if (keys.length === 0) say('There is no key. Make one: api-keys create "Bookkeeping"')
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
    usage: '<for what> [--json]',
    summary: 'Makes a key that reads orders, and shows it this one time.',
    options: jsonOption,
    words: [1, 1],
    async run([words = ''], { json }, context) {
      const description = words.trim()
      if (description === '' || description.length > longestDescription) {
        context.say(`Say what the key is for in 1 to ${longestDescription} characters: api-keys create "Bookkeeping"`)
        return 2
      }
      const { id, consumerKey, consumerSecret } = await makeApiKey(context, { description, who: context.who })
      if (json) context.print(JSON.stringify({ id, description, permission: 'read', consumerKey, consumerSecret }))
      else {
        context.print(`Consumer key     ${consumerKey}`)
        context.print(`Consumer secret  ${consumerSecret}`)
        context.say(`Key ${id} reads orders at ${context.publicUrl}/wp-json/wc/v3/orders. It is shown this one time.`)
      }
      return 0
    },
  },

  revoke: {
    usage: '<number> [--yes]',
    summary: 'Ends a key at once.',
    options: yesOption,
    words: [1, 1],
    async run([word = ''], given, context) {
      if (!/^\d{1,15}$/.test(word)) {
        context.say(`"${word}" is no number of a key: api-keys list shows them.`)
        return 2
      }
      if (!(await isMeant(given, context, `Key ${word}: end it? Programs that use it read nothing any more.`))) return 1
      const gone = await revokeApiKey(context, { id: Number(word), who: context.who })
      context.say(gone ? `Key ${word} is no more.` : `There is no key ${word}.`)
      return gone ? 0 : 1
    },
  },
})

function keyJson({ id, description, permission, key_end, made_by, created_at, last_used_at }: ApiKeyRow) {
  return { id, description, permission, endsIn: key_end, madeBy: made_by, madeAt: created_at, lastUsedAt: last_used_at }
}
