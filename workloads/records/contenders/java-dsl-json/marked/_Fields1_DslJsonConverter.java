package marked;



@javax.annotation.processing.Generated("dsl_json")
public class _Fields1_DslJsonConverter implements com.dslplatform.json.Configuration {
	@Override
	public void configure(com.dslplatform.json.DslJson __dsljson) {
		ObjectFormatConverter objectConverter = new ObjectFormatConverter(__dsljson);
		__dsljson.registerReader(marked.Fields1.class, objectConverter);
		__dsljson.registerWriter(marked.Fields1.class, objectConverter);
	}
	public final static class ObjectFormatConverter implements com.dslplatform.json.runtime.FormatConverter<marked.Fields1> {
		private final boolean alwaysSerialize;
		private final com.dslplatform.json.DslJson __dsljson;
		public ObjectFormatConverter(com.dslplatform.json.DslJson __dsljson) {
			this.alwaysSerialize = !__dsljson.omitDefaults;
			this.__dsljson = __dsljson;
		}
		private static final byte[] quoted_field01 = "\"field01\":".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		private static final byte[] name_field01 = "field01".getBytes(java.nio.charset.StandardCharsets.UTF_8);
		public final void write(final com.dslplatform.json.JsonWriter writer, final marked.Fields1 instance) {
			if (instance == null) writer.writeNull();
			else {
				writer.writeByte((byte)'{');
				if (alwaysSerialize) { writeContentFull(writer, instance); writer.writeByte((byte)'}'); }
				else if (writeContentMinimal(writer, instance)) writer.getByteBuffer()[writer.size() - 1] = '}';
				else writer.writeByte((byte)'}');
			}
		}
		public void writeContentFull(final com.dslplatform.json.JsonWriter writer, final marked.Fields1 instance) {
			writer.writeAscii(quoted_field01);
			com.dslplatform.json.NumberConverter.serialize(instance.field01(), writer);
		}
		public boolean writeContentMinimal(final com.dslplatform.json.JsonWriter writer, final marked.Fields1 instance) {
			boolean hasWritten = false;
			if (instance.field01() != 0L) {
				writer.writeByte((byte)'"'); writer.writeAscii(name_field01); writer.writeByte((byte)'"'); writer.writeByte((byte)':');
				com.dslplatform.json.NumberConverter.serialize(instance.field01(), writer);
				writer.writeByte((byte)','); hasWritten = true;
			}
			return hasWritten;
		}
		public marked.Fields1 read(final com.dslplatform.json.JsonReader reader) throws java.io.IOException {
			if (reader.wasNull()) return null;
			else if (reader.last() != '{') throw reader.newParseError("Expecting '{' for object start");
			reader.getNextToken();
			return readContent(reader);
		}
		public marked.Fields1 readContent(final com.dslplatform.json.JsonReader reader) throws java.io.IOException {
			long _field01_ = 0L;
			if (reader.last() == '}') {
				return new marked.Fields1(_field01_);
			}
			switch(reader.fillName()) {
				case 352681612:
					reader.getNextToken();
					_field01_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
					reader.getNextToken();
					break;
				default:
					reader.getNextToken();
					reader.skip();
			}
			while (reader.last() == ','){
				reader.getNextToken();
				switch(reader.fillName()) {
					case 352681612:
						reader.getNextToken();
						_field01_ = com.dslplatform.json.NumberConverter.deserializeLong(reader);
						reader.getNextToken();
						break;
					default:
						reader.getNextToken();
						reader.skip();
				}
			}
			if (reader.last() != '}') throw reader.newParseError("Expecting '}' for object end");
			return new marked.Fields1(_field01_);
		}
	}
}
