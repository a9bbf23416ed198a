import { RefreshCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ControllerProfile } from '../../shared/model/profile.ts';
import { useValueOf } from '../client/useEngine.tsx';
import { type I18n, useI18n } from '../i18n/i18n.tsx';
import { type BasisCounts, countBasis, useController, useProfile } from '../state/useOperator.ts';
import { useWindow, useWindowStore } from '../state/useWindow.tsx';
import { goTo } from '../state/windowState.ts';
import { Cut } from '../widgets/Cut.tsx';
import { StateGlyph } from '../widgets/StateGlyph.tsx';
import { KeyList } from './KeyList.tsx';
import { OperatorMenu } from './OperatorMenu.tsx';
import { operatorWords } from './operatorWords.ts';
import './nav.css';

/** Operator, its controllers, the keys of the chosen one. */
export function Nav(): ReactNode {
  const { t } = useI18n();
  const profile = useProfile();
  const controller = useController();
  const detected = useValueOf('operators', {}, (s) => s.value?.operators.length);
  return (
    <div className="nav">
      <OperatorBlock />
      {profile === undefined ? (
        <p className="navEmpty small secondary">{t(detected === 0 ? 'nav.empty.none' : 'nav.empty')}</p>
      ) : (
        <>
          <section className="navBlock">
            <div className="navHead">
              <h2 className="label strong">{t('nav.controllers')}</h2>
              <span className="label">{t('nav.controllers.counts')}</span>
            </div>
            {profile.controllers.length === 0 && (
              <p className="navNote small tertiary">{t('nav.controllers.none')}</p>
            )}
            {profile.controllers.map((item) => (
              <ControllerLine key={item.name} controller={item} chosen={item.name === controller?.name} />
            ))}
          </section>
          {controller !== undefined && <KeyList key={controller.name} controller={controller} />}
        </>
      )}
    </div>
  );
}

function OperatorBlock(): ReactNode {
  const { t } = useI18n();
  const store = useWindowStore();
  const operators = useValueOf('operators', {}, (s) => s.value);
  const chosen = operators?.operators.find((operator) => operator.id === operators.chosen);
  const profile = operators?.profile;
  const counts = profile === undefined ? undefined : countBasis(profile);
  return (
    <section className="navBlock navOperator">
      <OperatorMenu />
      {profile !== undefined && (
        <>
          <div className="navOperatorName">
            <StateGlyph state={chosen?.health ?? 'unknown'} size={14} />
            <Cut className="title" text={profile.name} />
            <span className="navImage small secondary cut" title={profile.image ?? chosen?.image}>
              {imageTag(profile.image ?? chosen?.image)}
            </span>
          </div>
          <p className="navNote small tertiary">
            <Cut
              text={
                chosen?.local === true && chosen.health === 'unknown'
                  ? t('nav.operator.isLocal', { user: profile.identity.value.user })
                  : [profile.namespace, chosen && operatorWords(t, chosen.detail)].filter(Boolean).join(' · ')
              }
            />
          </p>
          {counts !== undefined && (
            <button
              type="button"
              className="navProfile small tertiary cut"
              title={t('nav.profile.edit')}
              onClick={() => store.setState({ profileOpen: true })}
            >
              {profileWords(t, counts)}
            </button>
          )}
        </>
      )}
      {operators?.problems.map((problem) => (
        <p key={problem} className="navNote small inkDegraded">
          {problem}
        </p>
      ))}
    </section>
  );
}

function ControllerLine(props: {
  readonly controller: ControllerProfile;
  readonly chosen: boolean;
}): ReactNode {
  const { number } = useI18n();
  const store = useWindowStore();
  const tab = useWindow((s) => s.place.tab);
  const { name } = props.controller;
  const counts = useValueOf('queue', { controller: name }, ({ value }) => ({
    ready: value?.snapshot?.ready.length,
    waiting: value?.snapshot?.waiting.length,
  }));
  return (
    <button
      type="button"
      className="navController"
      aria-current={props.chosen ? 'true' : undefined}
      onClick={() => {
        store.setState({ controller: name, queueKey: undefined });
        if (tab !== 'queue') goTo(store, { tab: 'queue' });
      }}
    >
      <RefreshCcw size={14} strokeWidth={1.75} aria-hidden="true" />
      <Cut text={name} />
      <span className="navCounts small tertiary">
        {number(counts.ready)} · {number(counts.waiting)}
      </span>
    </button>
  );
}

/** `v1.8.0` of `registry/repo:v1.8.0`; a digest is cut to its first twelve digits. */
export function imageTag(image: string | undefined): string {
  if (image === undefined) return '';
  const [name = '', digest] = image.split('@');
  const tag = /:([^/:]+)$/.exec(name)?.[1];
  return tag ?? digest?.replace(/^sha256:/, '').slice(0, 12) ?? '';
}

/** How much of the profile is known in which way; what the user set is named only where there is any. */
export function profileWords(t: I18n['t'], { observed, inferred: n, set }: BasisCounts): string {
  return set === 0 ? t('nav.profile', { observed, n }) : t('nav.profile.set', { observed, n, set });
}
