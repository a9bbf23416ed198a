package probe

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

var errRefused = errors.New("refused")

// server answers every request with version 2, and refuses what is called "refused".
type server struct{ client.Client }

func (server) GroupVersionKindFor(o runtime.Object) (schema.GroupVersionKind, error) {
	return schema.GroupVersionKind{Version: "v1", Kind: reflect.TypeOf(o).Elem().Name()}, nil
}
func answer(o client.Object) error {
	if o.GetName() == "refused" {
		return errRefused
	}
	o.SetResourceVersion("2")
	return nil
}
func (server) Get(_ context.Context, _ client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	return answer(o)
}
func (server) List(_ context.Context, l client.ObjectList, _ ...client.ListOption) error {
	l.(*corev1.SecretList).Items = make([]corev1.Secret, 3)
	return nil
}
func (server) Update(_ context.Context, o client.Object, _ ...client.UpdateOption) error { return answer(o) }
func (server) SubResource(string) client.SubResourceClient                              { return part{} }

type part struct{ client.SubResourceClient }

func (part) Patch(_ context.Context, o client.Object, _ client.Patch, _ ...client.SubResourcePatchOption) error {
	return answer(o)
}

// lines runs do with a logger in its context and gives the fields of what it logged, without the times.
func lines(t *testing.T, do func(ctx context.Context)) []map[string]any {
	t.Helper()
	var got []map[string]any
	logger := funcr.NewJSON(func(text string) {
		line := map[string]any{}
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		if _, err := time.Parse(time.RFC3339Nano, line["at"].(string)); err != nil {
			t.Error(err)
		}
		if took := line["tookMs"].(float64); took < 0 || took > 60_000 {
			t.Errorf("tookMs is %v", took)
		}
		if line["msg"] != "loopscope.probe" || line["reconcileID"] != "id" {
			t.Errorf("not a line of the probe with the values of its context: %v", line)
		}
		for _, name := range []string{"at", "tookMs", "msg", "reconcileID", "level", "logger"} {
			delete(line, name)
		}
		got = append(got, line)
	}, funcr.Options{}).WithValues("reconcileID", "id")
	do(logr.NewContext(context.Background(), logger))
	return got
}

func expect(t *testing.T, got []map[string]any, want ...map[string]any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%v\nwant\n%v", got, want)
	}
}

func TestClient(t *testing.T) {
	secret := func(name string) *corev1.Secret {
		return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, ResourceVersion: "1"}}
	}
	expect(t, lines(t, func(ctx context.Context) {
		c := Client(server{})
		_ = c.Get(ctx, types.NamespacedName{Namespace: "shop", Name: "a"}, secret("a"))
		_ = c.List(ctx, &corev1.SecretList{}, client.InNamespace("shop"))
		_ = c.Update(ctx, secret("a"))
		_ = c.Status().Patch(ctx, secret("a"), client.MergeFrom(secret("a")))
		if err := c.Update(ctx, secret("refused")); !errors.Is(err, errRefused) {
			t.Errorf("the error is %v", err)
		}
		_ = Reader(c, server{}).Get(ctx, types.NamespacedName{Name: "b"}, secret("b"))
	}),
		map[string]any{"probe": "read", "verb": "get", "from": "cache", "kind": "Secret", "of": "shop/a", "version": "2"},
		map[string]any{"probe": "read", "verb": "list", "from": "cache", "kind": "SecretList", "of": "shop/", "items": 3.0},
		map[string]any{"probe": "write", "verb": "update", "subresource": "", "kind": "Secret", "of": "shop/a", "before": "1", "version": "2"},
		map[string]any{"probe": "write", "verb": "patch", "subresource": "status", "kind": "Secret", "of": "shop/a", "before": "1", "version": "2"},
		map[string]any{"probe": "write", "verb": "update", "subresource": "", "kind": "Secret", "of": "shop/refused", "before": "1", "version": "1", "failed": "refused"},
		map[string]any{"probe": "read", "verb": "get", "from": "live", "kind": "Secret", "of": "/b", "version": "2"},
	)
}

func TestReconciler(t *testing.T) {
	for _, one := range []struct {
		result reconcile.Result
		err    error
		want   string
	}{
		{want: "success"},
		{result: reconcile.Result{RequeueAfter: time.Second}, want: "requeue-after"},
		{result: reconcile.Result{Requeue: true}, want: "requeue"},
		{err: errRefused, want: "error"},
		{err: reconcile.TerminalError(errRefused), want: "terminal"},
	} {
		got := lines(t, func(ctx context.Context) {
			r := Reconciler(reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
				return one.result, one.err
			}))
			result, err := r.Reconcile(ctx, reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "shop", Name: "a"}})
			if result != one.result || err != one.err {
				t.Errorf("%s: %v, %v came back", one.want, result, err)
			}
		})
		end := map[string]any{"probe": "end", "key": "shop/a", "result": one.want, "after": one.result.RequeueAfter.String()}
		if one.err != nil {
			end["failed"] = one.err.Error()
		}
		expect(t, got, map[string]any{"probe": "start", "key": "shop/a"}, end)
	}
}

func TestPanicGoesOn(t *testing.T) {
	got := lines(t, func(ctx context.Context) {
		defer func() {
			if recover() != "broken" {
				t.Error("the panic was lost")
			}
		}()
		r := Reconciler(reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) { panic("broken") }))
		_, _ = r.Reconcile(ctx, reconcile.Request{})
	})
	expect(t, got,
		map[string]any{"probe": "start", "key": "/"},
		map[string]any{"probe": "end", "key": "/", "result": "panic", "after": "0s"})
}
