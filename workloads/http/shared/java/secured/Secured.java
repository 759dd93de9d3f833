package secured;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** TLS by the run's certificate, which is in PEM files: the JDK's own stores are of other formats. */
public final class Secured {
    private static final char[] NO_PASSWORD = {};

    private Secured() {}

    public static SSLContext context(String certificate, String key) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("server", key(key), NO_PASSWORD, chain(certificate));
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private static Certificate[] chain(String path) throws GeneralSecurityException, IOException {
        try (var bytes = Files.newInputStream(Path.of(path))) {
            return CertificateFactory.getInstance("X.509").generateCertificates(bytes).toArray(new Certificate[0]);
        }
    }

    /** A key of an elliptic curve, in PKCS #8. */
    private static PrivateKey key(String path) throws GeneralSecurityException, IOException {
        String text = Files.readString(Path.of(path)).replaceAll("-----[A-Z ]+-----", "");
        var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(text));
        return KeyFactory.getInstance("EC").generatePrivate(spec);
    }
}
