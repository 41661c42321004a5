import { z } from 'zod'
import {
  type V3Setting,
  type V3SettingGroup,
  v3Setting,
  v3SettingGroup,
  v3SettingInput,
  v3SettingsBatchInput,
  v3SettingsQuery,
} from '#contract/operations/v3-settings.ts'
import { urls } from '#contract/shared/urls.ts'
import type { ClassicValue } from '#shop/operations/settings/classic/classic-setting.ts'
import {
  changeClassicSetting,
  type ShownSetting,
  settingGroups,
  showClassicSettings,
} from '#shop/operations/settings/classic/classic-settings.ts'
import { linkedRecord } from '../resource/linked-record.ts'
import { type V3Context, v3Call } from '../resource/v3-call.ts'
import { V3Error } from '../resource/v3-error.ts'
import { v3Resource } from '../resource/v3-resource.ts'

/** `wc/v3/settings`: the groups. */
export const v3SettingGroupCalls = v3Resource({
  path: 'settings',
  title: 'group of settings',
  item: v3SettingGroup,
  list: {
    query: v3SettingsQuery,
    async run(_, query) {
      const start = query.offset ?? query.per_page * (query.page - 1)
      const records = settingGroups.map(groupRecord)
      return { total: records.length, records: records.slice(start, start + query.per_page) }
    },
  },
  links: ({ id }) => ({ options: [{ href: `wc/v3/settings/${id}` }] }),
})

const groupRecord = ({ id, label, parent }: (typeof settingGroups)[number]): V3SettingGroup => ({
  id,
  label,
  description: '',
  parent_id: parent,
  sub_groups: settingGroups.filter((one) => one.parent === id).map((one) => one.id),
})

/** `wc/v3/settings/<group>` and `wc/v3/settings/<group>/<id>` */
export const v3SettingCalls = v3Resource({
  path: 'settings/:group_id',
  title: 'setting',
  textId: true,
  texts: ['group_id'],
  item: v3Setting,
  batch: true,
  list: {
    query: v3SettingsQuery,
    async run(context, query) {
      const settings = await settingsOf(context)
      const start = query.offset ?? query.per_page * (query.page - 1)
      return { total: settings.length, records: settings.slice(start, start + query.per_page) }
    },
  },
  async get(context, id: string) {
    const setting = (await settingsOf(context)).find((one) => one.id === id)
    if (!setting) throw unknownSetting()
    return setting
  },
  update: {
    input: v3SettingInput,
    async run(context, id, { value }) {
      const { group_id: group = '' } = context.path
      if (!settingGroups.some((one) => one.id === group)) throw unknownGroup()
      return changed(context, group, id, value)
    },
  },
})

/** `POST wc/v3/settings/batch`: settings of several groups. */
export const v3SettingsBatchCall = v3Call({
  name: 'settings/batch',
  method: 'POST',
  alsoMethods: ['PUT', 'PATCH'],
  tag: 'settings',
  summary: 'Change settings of several groups',
  input: v3SettingsBatchInput,
  output: z.object({
    update: z.array(z.union([linkedRecord(v3Setting), z.looseObject({ id: z.string(), error: z.unknown() })])),
  }),
  async answer(context, { update }) {
    if (update.length > 100) {
      const message = 'Unable to accept more than 100 items for this request.'
      throw new V3Error(413, 'woocommerce_rest_request_entity_too_large', message)
    }
    const results: unknown[] = []
    for (const { group_id: group, id, value } of update) {
      const root = `${context.tools.publicUrl}${urls.rest(`wc/v3/settings/${group}`)}`
      const _links = { self: [{ href: `${root}/${id}` }], collection: [{ href: root }] }
      results.push(
        await changed(context, group, id, value).then(
          (setting) => ({ ...setting, _links }),
          (error: unknown) => {
            if (!(error instanceof V3Error)) throw error
            const { code, message, status } = error
            return { id, group_id: group, error: { code, message, data: { status } } }
          },
        ),
      )
    }
    return Response.json({ update: results })
  },
})

async function settingsOf({ tools, path }: V3Context): Promise<readonly V3Setting[]> {
  const settings = await showClassicSettings(tools, path.group_id ?? '')
  if (!settings) throw unknownGroup()
  return settings.map(settingRecord)
}

async function changed(
  { tools, record }: V3Context,
  group: string,
  id: string,
  given: string | number | boolean | readonly string[],
): Promise<V3Setting> {
  const value: ClassicValue =
    typeof given === 'boolean' ? (given ? 'yes' : 'no') : typeof given === 'number' ? String(given) : given
  const result = await changeClassicSetting(tools, group, id, value)
  if (!result.ok) {
    throw result.reason === 'unknown'
      ? unknownSetting()
      : new V3Error(400, 'rest_setting_value_invalid', `An invalid setting value was passed: ${result.problem}`)
  }
  await record('settings change', `setting:${group}/${id}`)
  return settingRecord(result.value)
}

const plain = (value: ClassicValue) => (typeof value === 'string' ? value : [...value])

const settingRecord = ({ id, group, label, description, type, options, ...rest }: ShownSetting): V3Setting => ({
  id,
  label,
  description,
  type,
  default: plain(rest.default),
  tip: description,
  value: plain(rest.value),
  ...(options ? { options: { ...options } } : {}),
  group_id: group,
})

const unknownGroup = () => new V3Error(404, 'rest_setting_setting_group_invalid', 'Invalid setting group.')
const unknownSetting = () => new V3Error(404, 'rest_setting_setting_invalid', 'Invalid setting.')
